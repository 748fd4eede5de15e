import type { StepAction } from '../../model/workflow/step.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, textOf, type SourceRef } from '../source/source-node.ts';
import { readShellWords } from './shell.ts';

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
    const name = textOf(node);
    // nix-shell would parse it as an option.
    if (name.trim() === '' || name.startsWith('-')) {
      report.error(
        fieldOf(field, index),
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
  report.error(field, describeWrongShell(program));
}

/** Returns the error message for packages with no shell or with another shell than `nix-shell`. */
export function describeWrongShell(program: string | undefined): string {
  const found = program === undefined ? 'has no shell' : `uses ${JSON.stringify(program.slice(0, 40))}`;
  return `"${key}" only works with the shell "nix-shell", but this step ${found}. Add "shell: nix-shell", or remove "${key}".`;
}
