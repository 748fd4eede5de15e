import type { StepAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { splitWords } from '../split-words.ts';
import { findField, textOf, type SourceRef, type SourceNode } from '../source/source-node.ts';

/** Maximum length of a shell's command line; longer text belongs in a script. */
const MAX_SHELL_LENGTH = 4096;

/** Reads `shell`: a string is split into words, a list is used as it is. */
export function readShell(source: SourceRef | undefined, report: Report): string[] | undefined {
  if (source === undefined) return undefined;
  const { node } = source;
  const text = textOf(node);
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
export const readShellWords = (node: SourceNode): string[] =>
  node.kind === 'list' ? node.items.map(textOf) : splitWords(textOf(node));
