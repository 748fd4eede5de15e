import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption } from '../options.ts';

/** Adds the workflow commands. */
export function addWorkflowCommands(program: Command, hooks: ProgramHooks): void {
  const dags = runCommand(hooks, async () => (await import('../../commands/workflows/dags.ts')).runDags);
  program
    .command('dags')
    .description('List workflows and their next scheduled runs')
    .option('--name <text>', 'Filter by text in the name')
    .addOption(
      new Option('--tag <tag>', 'Filter by tag (repeatable)')
        .argParser((tag: string, before: readonly string[]) => [...before, tag])
        .default([]),
    )
    .addOption(
      new Option('--sort <by>', 'Sort by name or nextRun (earliest first). Default: name.')
        .choices(['name', 'nextRun'])
        .default('name'),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dags)
    .action(({ tag, ...options }, command: Command) => dags({ tags: tag, ...options }, command));
  addSuspend(program, hooks, 'suspend', 'Pause a schedule (manual runs still work)');
  addSuspend(program, hooks, 'resume', 'Resume a schedule');
}

function addSuspend(
  program: Command,
  hooks: ProgramHooks,
  name: 'suspend' | 'resume',
  description: string,
): void {
  const change = runCommand(
    hooks,
    async () => (await import('../../commands/workflows/suspend.ts')).runSuspend,
  );
  const changeAll = runCommand(
    hooks,
    async () => (await import('../../commands/workflows/pause-schedules.ts')).runPauseSchedules,
  );
  const suspend = name === 'suspend';
  const added = program
    .command(name)
    .description(description)
    .argument('[DAG]', 'Workflow name')
    .option('--all', suspend ? 'Pause all schedules of the home' : 'Resume all schedules of the home');
  if (suspend)
    added.addOption(
      new Option('--for <duration>', 'With --all: pause duration, such as 30m, 8h or 2d').argParser(
        readDuration,
      ),
    );
  added
    .addOption(formatOption())
    .addHelpText('after', commandNotes[name])
    .action((dag: string | undefined, { all, for: forMs, ...options }, command: Command) => {
      if (all === true && dag === undefined) return changeAll({ suspend, forMs, ...options }, command);
      if (all === true || dag === undefined || forMs !== undefined)
        throw new AppError(
          'bad_request',
          `Specify a workflow, or use --all${suspend ? ' (--for requires --all)' : ''}.`,
        );
      return change({ dag, suspend, ...options }, command);
    });
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * unitMs[unit as keyof typeof unitMs];
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError('Expected a number with m, h or d, such as 30m, 8h or 2d.');
}
