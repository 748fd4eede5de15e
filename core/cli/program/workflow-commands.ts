import { Option, type Command } from 'commander';
import { commandNotes } from './help-texts.ts';
import { carryOut, type ProgramHooks } from './hooks.ts';
import { formatOption } from './options.ts';

/** Adds the commands that deal with the workflows of the home. */
export function addWorkflowCommands(program: Command, hooks: ProgramHooks): void {
  const dags = carryOut(hooks, async () => (await import('../commands/dags.ts')).runDags);
  program
    .command('dags')
    .description('list the workflows of the home with their next runs')
    .option('--name <text>', 'only those with this in their name')
    .addOption(
      new Option('--tag <tag>', 'only those with this tag, also several times')
        .argParser((tag: string, before: readonly string[]) => [...before, tag])
        .default([]),
    )
    .addOption(
      new Option('--sort <by>', 'name (default), or nextRun: what is due first comes first')
        .choices(['name', 'nextRun'])
        .default('name'),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dags)
    .action(({ tag, ...options }, command: Command) => dags({ tags: tag, ...options }, command));
  addSuspend(program, hooks, 'suspend', 'let the schedule of a workflow rest; starts by hand go on');
  addSuspend(program, hooks, 'resume', 'let a suspended schedule count again');
}

function addSuspend(
  program: Command,
  hooks: ProgramHooks,
  name: 'suspend' | 'resume',
  description: string,
): void {
  const change = carryOut(hooks, async () => (await import('../commands/suspend.ts')).runSuspend);
  program
    .command(name)
    .description(description)
    .argument('<DAG>', 'name of a workflow of the home')
    .addOption(formatOption())
    .addHelpText('after', commandNotes[name])
    .action((dag: string, options, command: Command) =>
      change({ dag, suspend: name === 'suspend', ...options }, command),
    );
}
