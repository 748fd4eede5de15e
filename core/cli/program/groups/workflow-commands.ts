import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

/** Adds the commands that deal with the workflows of the home. */
export function addWorkflowCommands(program: Command, hooks: ProgramHooks): void {
  const dags = carryOut(hooks, async () => (await import('../../commands/workflows/dags.ts')).runDags);
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
  const change = carryOut(
    hooks,
    async () => (await import('../../commands/workflows/suspend.ts')).runSuspend,
  );
  const changeAll = carryOut(
    hooks,
    async () => (await import('../../commands/workflows/pause-schedules.ts')).runPauseSchedules,
  );
  const suspend = name === 'suspend';
  const added = program
    .command(name)
    .description(description)
    .argument('[DAG]', 'name of a workflow of the home')
    .option('--all', suspend ? 'all schedules of the home' : 'end the pause of all schedules');
  if (suspend)
    added.addOption(
      new Option('--for <duration>', 'with --all: how long, such as 30m, 8h or 2d').argParser(readDuration),
    );
  added
    .addOption(formatOption())
    .addHelpText('after', commandNotes[name])
    .action((dag: string | undefined, { all, for: forMs, ...options }, command: Command) => {
      if (all === true && dag === undefined) return changeAll({ suspend, forMs, ...options }, command);
      if (all === true || dag === undefined || forMs !== undefined)
        throw new AppError(
          'bad_request',
          `name a workflow, or write --all for all of them${suspend ? '; --for goes with --all' : ''}`,
        );
      return change({ dag, suspend, ...options }, command);
    });
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('It takes a number with m, h or d: 30m, 8h, 2d.');
}
