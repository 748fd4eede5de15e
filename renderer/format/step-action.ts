import type { StepAction } from '../../core/model/step.ts';

/** What a step does, on one line. */
export function describeAction(action: StepAction): string {
  switch (action.kind) {
    case 'command':
      return firstLine(action.command);
    case 'argv':
      return action.argv.join(' ');
    case 'script':
      return firstLine(action.script);
    case 'dag':
      return [action.dag, ...action.params.map(({ name, value }) => `${name}=${value}`)].join(' ');
  }
}

/** What sort of thing a step does, in words. */
export const actionNames: Readonly<Record<StepAction['kind'], string>> = {
  command: 'Shell command',
  argv: 'Program',
  script: 'Script',
  dag: 'Sub-workflow',
};

/** The first line that does something: interpreter lines, comments, `set` options and lone brackets come before it. */
function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /\w/.test(line) && !line.startsWith('#') && !/^set [-+]/.test(line)) ??
    lines[0] ??
    ''
  );
}
