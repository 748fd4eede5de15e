import type { StepContext } from './executor.ts';
import { findDefaultShell, type Shell } from './shell.ts';

/** The step's shell, else the workflow's, else the default one. Throws on `direct`, which is no shell. */
export function chooseShell({ step, shell, env }: StepContext): Shell {
  const named = step.shell ?? shell;
  if (named?.[0] === 'direct') {
    throw new Error(
      'shell "direct" runs a program without a shell: write the command as a list, program first',
    );
  }
  const chosenByStep = step.shell !== undefined && step.shell.length > 0;
  const command = named !== undefined && named.length > 0 ? named : findDefaultShell(env, process.platform);
  return { command, chosenByStep };
}
