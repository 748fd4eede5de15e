import type { StepAction } from '../../model/step.ts';
import { type Report, findField, getText, type SourceRef, type SourceNode, getField } from '../source.ts';
import { splitWords } from '../split-words.ts';

/** Maximum length of a shell's command line; longer text belongs in a script. */
const MAX_SHELL_LENGTH = 4096;

/** Reads `shell`: a string is split into words, a list is used as it is. */
export function readShell(source: SourceRef | undefined, report: Report): string[] | undefined {
  if (source === undefined) return undefined;
  const { node } = source;
  const text = getText(node);
  if (text.length > MAX_SHELL_LENGTH) {
    report.error(
      source,
      `"shell" has more than ${MAX_SHELL_LENGTH} characters. Set only the shell here, and put commands in "command" or "script".`,
    );
    return undefined;
  }
  const words = readShellWords(node);
  if (words[0]) return words;
  report.error(source, '"shell" is empty. Set a program such as "bash", or remove it.');
  return undefined;
}

/**
 * Reports command text, and a script without its own interpreter, with the shell `direct`, which is not a shell.
 * @param shell shell of the workflow
 */
export function checkDirectShell(
  step: SourceRef,
  action: StepAction | undefined,
  shell: readonly string[] | undefined,
  report: Report,
): void {
  const stepShell = findField(step, 'shell');
  const [program] = stepShell === undefined ? (shell ?? []) : readShellWords(stepShell.node);
  if (program !== 'direct') return;
  const isScript = action?.kind === 'script' && action.command === undefined;
  // An interpreter line is used unless the step itself specifies a shell.
  const needsShell =
    action?.kind === 'command' || (isScript && (stepShell !== undefined || !action.script.startsWith('#!')));
  if (!needsShell) return;
  report.error(
    stepShell ?? findField(step, 'command') ?? findField(step, 'script') ?? step,
    'The shell "direct" runs a program without a shell, but this step has shell text. Write the command as a list, such as [make, all], or use another shell.',
  );
}

/** Returns the program and its arguments. */
const readShellWords = (node: SourceNode): string[] =>
  node.kind === 'list' ? node.items.map(getText) : splitWords(getText(node));

const key = 'shellPackages';

/** Reads `shellPackages` of a step; an empty list counts as absent. */
export function readShellPackages(
  step: SourceRef,
  action: StepAction | undefined,
  report: Report,
): string[] | undefined {
  const field = findField(step, key);
  if (field?.node.kind !== 'list' || field.node.items.length === 0) return undefined;
  if (action && !usesShell(action)) {
    report.error(
      field,
      `"${key}" requires a shell, but this step runs without one. Write the command as a string, or remove "${key}".`,
    );
  }
  return field.node.items.map((node, index) => {
    const name = getText(node);
    // nix-shell would parse it as an option.
    if (name.trim() === '' || name.startsWith('-')) {
      report.error(
        getField(field, index),
        `Invalid package name ${JSON.stringify(name.slice(0, 40))}. Use a name such as "jq".`,
      );
    }
    return name;
  });
}

const usesShell = (action: StepAction): boolean =>
  action.kind === 'command' || (action.kind === 'script' && action.command === undefined);

/**
 * Reports `shellPackages` of a step that does not run in a nix-shell.
 * @param shell shell of the workflow
 */
export function checkShellPackages(
  step: SourceRef,
  shell: readonly string[] | undefined,
  report: Report,
): void {
  const field = findField(step, key);
  if (field?.node.kind !== 'list' || field.node.items.length === 0) return;
  const stepShell = findField(step, 'shell');
  const [program] = stepShell === undefined ? (shell ?? []) : readShellWords(stepShell.node);
  // An empty `shell` of the step is reported separately.
  if (stepShell !== undefined && !program) return;
  // The value of an expression is checked when the step starts.
  if (program !== undefined && /(^|\/)nix-shell$|[$`]/.test(program)) return;
  report.error(field, explainUnsupportedShell(program));
}

/** Returns the error message for packages with no shell or with another shell than `nix-shell`. */
export function explainUnsupportedShell(program: string | undefined): string {
  const found = program === undefined ? 'has no shell' : `uses ${JSON.stringify(program.slice(0, 40))}`;
  return `"${key}" only works with the shell "nix-shell", but this step ${found}. Add "shell: nix-shell", or remove "${key}".`;
}
