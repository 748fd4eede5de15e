import { type Command, Option } from 'commander';
import { commandNotes } from '../help-texts.ts';
import { durationArgument, formatOption, runCommand, type ProgramHooks } from '../run-command.ts';

/** Adds the commands for checks of jobs that run elsewhere. */
export function addPingCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/pings.ts');
  const list = runCommand(hooks, async () => (await load()).runPings);
  const create = runCommand(hooks, async () => (await load()).runPingCreate);
  const show = runCommand(hooks, async () => (await load()).runPingShow);
  const remove = runCommand(hooks, async () => (await load()).runPingDelete);
  const pings = program
    .command('pings')
    .description('Watch jobs that run elsewhere by their pings')
    .addHelpText('after', commandNotes.pings);
  pings
    .command('list', { isDefault: true })
    .description('List ping checks and their status')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  pings
    .command('create')
    .description('Create a ping check and print its URL')
    .argument('<NAME>', 'Name of the check')
    .addOption(
      new Option('--every <duration>', 'Longest time between pings, such as 1h or 1d').argParser(
        durationArgument,
      ),
    )
    .addOption(new Option('--cron <expression>', 'Cron expression of the expected pings').conflicts('every'))
    .option('--timezone <zone>', 'Time zone of --cron. Default: configured or system time zone.')
    .addOption(
      new Option(
        '--grace <duration>',
        'How late a ping may be, and how long a job may run. Default: 1h.',
      ).argParser(durationArgument),
    )
    .option('--tags <names>', 'Tags, separated by commas')
    .addOption(formatOption())
    .action((name: string, { cron, ...options }, command: Command) =>
      create({ name, ...options, ...(cron !== undefined && { schedule: cron }) }, command),
    );
  pings
    .command('show')
    .description('Show a ping check, its URL and last pings')
    .argument('<NAME>', 'Name of the check')
    .addOption(formatOption())
    .action((name: string, options, command: Command) => show({ name, ...options }, command));
  pings
    .command('delete')
    .description('Delete a ping check and its pings')
    .argument('<NAME>', 'Name of the check')
    .addOption(formatOption())
    .action((name: string, options, command: Command) => remove({ name, ...options }, command));
}
