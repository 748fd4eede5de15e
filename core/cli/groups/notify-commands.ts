import { type Command, InvalidArgumentError, Option } from 'commander';
import { channelKinds } from '../../contract/notifications.ts';
import { notificationEventNames, parseQuietHours } from '../../model/notification.ts';
import { commandNotes } from '../help-texts.ts';
import { type ProgramHooks, runCommand } from '../command-context.ts';
import { durationArgument, formatOption, wholeNumber } from '../options.ts';

/** Adds the commands for notifications. */
export function addNotifyCommands(program: Command, hooks: ProgramHooks): void {
  const notify = program
    .command('notify')
    .description('Manage notifications')
    .addHelpText('after', commandNotes.notify);
  addChannels(notify, hooks);
  addRules(notify, hooks);
  addMessages(notify, hooks);
}

const parseNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const secretOption = (): Option =>
  new Option(
    '--secret-stdin',
    'Read the URL, token or topic from the first line of stdin, and the token of ntfy or the Authorization header of a URL from the second',
  ).default(false);

const channelOptions = (command: Command): Command =>
  command
    .option('--to <addresses>', 'Email recipients (comma-separated)', parseNames)
    .option('--from <address>', 'Email sender')
    .option('--server <url>', 'Server of Gotify, or your own ntfy or Telegram Bot API')
    .option('--chat <id>', 'Telegram chat')
    .option('--template <file>', 'File with the JSON body for a URL; - for none')
    .option(
      '--secret <names>',
      'Stored secret with the URL, token or topic (or FIELD=NAME, comma-separated)',
      parseNames,
    )
    .addOption(secretOption())
    .option('--allow-private', 'Allow loopback and private network addresses')
    .option('--insecure', 'Skip TLS certificate verification');

function addChannels(notify: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/notify.ts');
  const list = runCommand(hooks, async () => (await load()).runChannels);
  const create = runCommand(hooks, async () => (await load()).runChannelCreate);
  const channels = notify
    .command('channels')
    .description('Manage notification channels')
    .addHelpText('after', commandNotes.channels);
  channels
    .command('list', { isDefault: true })
    .description('List channels')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  channelOptions(
    channels
      .command('create')
      .description('Create a channel')
      .argument('<NAME>', 'Channel name')
      .addOption(
        new Option('--kind <kind>', 'Service to notify').choices([...channelKinds]).makeOptionMandatory(),
      ),
  )
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  addChannelChanges(channels, hooks);
}

function addChannelChanges(channels: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/notify.ts');
  const update = runCommand(hooks, async () => (await load()).runChannelUpdate);
  const test = runCommand(hooks, async () => (await load()).runChannelTest);
  const remove = runCommand(hooks, async () => (await load()).runChannelDelete);
  channelOptions(
    channels
      .command('update')
      .description('Update a channel (other settings are not changed)')
      .argument('<CHANNEL>', 'Channel name or ID'),
  )
    .option('--no-allow-private', 'Reject loopback and private network addresses')
    .option('--no-insecure', 'Verify TLS certificates')
    .option('--name <name>', 'New name, also in rules')
    .option('--on', 'Turn the channel on, also after it was turned off automatically')
    .addOption(new Option('--off', 'Turn the channel off').conflicts('on'))
    .addOption(formatOption())
    .action((channel: string, { on, off, ...options }, command: Command) =>
      update({ channel, ...options, ...(on && { active: true }), ...(off && { active: false }) }, command),
    );
  channels
    .command('test')
    .description('Send a test and show the response of the service')
    .argument('<CHANNEL>', 'Channel name or ID')
    .addOption(formatOption())
    .action((channel: string, options, command: Command) => test({ channel, ...options }, command));
  channels
    .command('delete')
    .description('Delete a channel and its notifications')
    .argument('<CHANNEL>', 'Channel name or ID')
    .addOption(formatOption())
    .action((channel: string, options, command: Command) => remove({ channel, ...options }, command));
}

function parseEvents(text: string): string[] {
  const events = parseNames(text);
  const known: readonly string[] = notificationEventNames;
  const unknown = events.find((event) => !known.includes(event));
  if (unknown === undefined && events.length > 0) return events;
  throw new InvalidArgumentError(`Expected events such as failed,recovered. Events: ${known.join(', ')}.`);
}

function parseQuiet(text: string): string {
  if (text === '' || parseQuietHours(text) !== undefined) return text;
  throw new InvalidArgumentError(
    'Expected times and optionally a time zone, such as "22:00-07:00 Europe/Berlin".',
  );
}

const ruleOptions = (command: Command): Command =>
  command
    .option('--workflows <names>', 'Workflow names (comma-separated); * for any characters', parseNames)
    .option('--tags <tags>', 'Workflows with any of these tags (comma-separated)', parseNames)
    .option('--groups <groups>', 'Workflows of these groups (comma-separated)', parseNames)
    .option('--folders <folders>', 'Workflows in these folders (comma-separated)', parseNames)
    .option('--after <count>', 'Failed runs in a row before the first notification', wholeNumber(1, 100))
    .option('--once', 'Report only the first of several failures in a row')
    .option('--quiet-hours <times>', 'Quiet hours, such as "22:00-07:00 Europe/Berlin"', parseQuiet)
    .option(
      '--digest-sec <seconds>',
      'Collect notifications for this long and send them as one; 0 turns it off',
      wholeNumber(0, 604_800),
    );

function addRules(notify: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/notify-rules.ts');
  const list = runCommand(hooks, async () => (await load()).runRules);
  const create = runCommand(hooks, async () => (await load()).runRuleCreate);
  const rules = notify
    .command('rules')
    .description('Manage notification rules')
    .addHelpText('after', commandNotes.rules);
  rules
    .command('list', { isDefault: true })
    .description('List rules')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  ruleOptions(
    rules
      .command('create')
      .description('Create a rule')
      .argument('<NAME>', 'Rule name')
      .requiredOption('--to <channels>', 'Channels (comma-separated)', parseNames)
      .option('--on <events>', 'Events (comma-separated). Default: failed,recovered.', parseEvents),
  )
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  addRuleChanges(rules, hooks);
}

function addRuleChanges(rules: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/notify-rules.ts');
  const update = runCommand(hooks, async () => (await load()).runRuleUpdate);
  const test = runCommand(hooks, async () => (await load()).runRuleTest);
  const remove = runCommand(hooks, async () => (await load()).runRuleDelete);
  ruleOptions(
    rules
      .command('update')
      .description('Update a rule (other settings are not changed)')
      .argument('<RULE>', 'Rule name or ID')
      .option('--to <channels>', 'Channels (comma-separated)', parseNames)
      .option('--on <events>', 'Events (comma-separated)', parseEvents),
  )
    .option('--no-once', 'Report every failure')
    .option('--enable', 'Apply the rule')
    .addOption(new Option('--disable', 'Do not apply the rule').conflicts('enable'))
    .addOption(formatOption())
    .action((rule: string, { enable, disable, ...options }, command: Command) =>
      update(
        { rule, ...options, ...(enable && { enabled: true }), ...(disable && { enabled: false }) },
        command,
      ),
    );
  rules
    .command('test')
    .description('Send a test to all channels of a rule')
    .argument('<RULE>', 'Rule name or ID')
    .addOption(formatOption())
    .action((rule: string, options, command: Command) => test({ rule, ...options }, command));
  rules
    .command('delete')
    .description('Delete a rule')
    .argument('<RULE>', 'Rule name or ID')
    .addOption(formatOption())
    .action((rule: string, options, command: Command) => remove({ rule, ...options }, command));
}

function addMessages(notify: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/notify.ts');
  const list = runCommand(hooks, async () => (await load()).runNotifications);
  const resend = runCommand(hooks, async () => (await load()).runResend);
  notify
    .command('list', { isDefault: true })
    .description('List notifications, newest first')
    .option('--limit <count>', 'Maximum number of results. Default: 20.', wholeNumber(1, 1000), 20)
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  notify
    .command('resend')
    .description('Send a notification again')
    .argument('<ID>', 'Notification ID', wholeNumber(1, 999_999_999_999_999))
    .addOption(formatOption())
    .action((id: number, options, command: Command) => resend({ id, ...options }, command));
}

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
