import type { StepAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { splitWords } from '../split-words.ts';
import { findPlace, textOf, type Place, type SourceNode } from '../source/source-node.ts';

/** Longest command line of a shell; more is a script in the wrong place. */
const MAX_SHELL_LENGTH = 4096;

/** Reads `shell`: a text is split into words, a list is taken as it is. */
export function readShell(place: Place | undefined, report: Report): string[] | undefined {
  if (place === undefined) return undefined;
  const { node } = place;
  const text = textOf(node);
  if (text.length > MAX_SHELL_LENGTH) {
    report.error(
      place,
      `"shell" has more than ${MAX_SHELL_LENGTH} characters. Set only the shell here, and put commands in "command" or "script".`,
    );
    return undefined;
  }
  const words = readShellWords(node);
  if (words[0]) return words;
  report.error(place, '"shell" is empty. Set a program such as "bash", or remove it.');
  return undefined;
}

/**
 * Refuses command text, and a script that nothing else would run, in the shell `direct`, which is none.
 * @param shell the workflow's
 */
export function checkDirectShell(
  step: Place,
  action: StepAction | undefined,
  shell: readonly string[] | undefined,
  report: Report,
): void {
  const own = findPlace(step, 'shell');
  const [program] = own === undefined ? (shell ?? []) : readShellWords(own.node);
  if (program !== 'direct') return;
  const isScript = action?.kind === 'script' && action.command === undefined;
  // An interpreter line counts unless the step itself names a shell.
  const needsShell =
    action?.kind === 'command' || (isScript && (own !== undefined || !action.script.startsWith('#!')));
  if (!needsShell) return;
  report.error(
    own ?? findPlace(step, 'command') ?? findPlace(step, 'script') ?? step,
    'The shell "direct" runs a program without a shell, but this step has shell text. Write the command as a list, such as [make, all], or use another shell.',
  );
}

/** Program and arguments. */
export const readShellWords = (node: SourceNode): string[] =>
  node.kind === 'list' ? node.items.map(textOf) : splitWords(textOf(node));
