import { describeWrongShell } from '../../spec/rules/shell-packages.ts';
import type { StepContext } from '../executor.ts';
import { findDefaultShell, readProgramName, type Shell, type ShellCommand } from './shell.ts';

/**
 * Returns the step's shell, else the workflow's, else the default shell, with the step's packages.
 * @throws for `direct`, which is not a shell, and for packages with another shell than `nix-shell`
 */
export function chooseShell({ step, shell, env }: Pick<StepContext, 'step' | 'shell' | 'env'>): Shell {
  const named = step.shell ?? shell;
  if (named?.[0] === 'direct') {
    throw new Error(
      'the shell "direct" runs a program without a shell: write the command as a list, program first',
    );
  }
  const chosenByStep = step.shell !== undefined && step.shell.length > 0;
  const command = named !== undefined && named.length > 0 ? named : findDefaultShell(env, process.platform);
  return { command: addPackages(command, step.shellPackages ?? []), chosenByStep };
}

function addPackages(command: ShellCommand, packages: readonly string[]): ShellCommand {
  if (packages.length === 0) return command;
  const [program = ''] = command;
  if (readProgramName(program) !== 'nix-shell') throw new Error(describeWrongShell(program));
  return [...command, ...packages.flatMap((name) => ['-p', name])];
}
