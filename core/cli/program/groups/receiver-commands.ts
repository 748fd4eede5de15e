import { Option, type Command } from 'commander';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';

/** Adds `webhooks receivers`: incoming webhook endpoints and their deliveries. */
export function addReceiverCommands(webhooks: Command, hooks: ProgramHooks): void {
  const receivers = webhooks
    .command('receivers')
    .description('Manage webhook receivers and their deliveries')
    .addHelpText('after', commandNotes.receivers);
  addSettingsOptions(receivers, hooks);
  addSecretCommands(receivers, hooks);
  addDeliveries(receivers, hooks);
}

/** Returns the option for the source of a new secret. */
export const secretOption = (): Option =>
  new Option(
    '--secret-stdin',
    'Read the secret from the first line of stdin. Default: generate and show a secret.',
  ).default(false);

/** @param isNew whether omitted options get defaults; for an existing receiver they stay unchanged */
function settingOptions(command: Command, isNew: boolean): Command {
  const defaultNote = (value: number): string => (isNew ? ` Default: ${value}.` : '');
  return command
    .option(
      '--max-body <bytes>',
      `Maximum size of a request body.${defaultNote(26_214_400)}`,
      wholeNumber(1, 25 * 1_048_576),
    )
    .option(
      '--dedupe-sec <seconds>',
      `How long to remember deliveries for deduplication; 0 turns it off.${defaultNote(259_200)}`,
      wholeNumber(0, 365 * 86_400),
    )
    .option('--keep-days <days>', `How long to keep deliveries.${defaultNote(30)}`, wholeNumber(1, 3650))
    .option('--allow-sha1', 'Accept SHA-1 signatures if there is no SHA-256 signature');
}

function addSettingsOptions(receivers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/receivers.ts');
  const list = runCommand(hooks, async () => (await load()).runReceivers);
  const create = runCommand(hooks, async () => (await load()).runReceiverCreate);
  const update = runCommand(hooks, async () => (await load()).runReceiverUpdate);
  const remove = runCommand(hooks, async () => (await load()).runReceiverDelete);
  receivers
    .command('list', { isDefault: true })
    .description('List receivers')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  settingOptions(
    receivers
      .command('create')
      .description('Create a receiver and print its URL')
      .argument('<NAME>', 'Receiver name'),
    true,
  )
    .addOption(
      new Option('--scheme <scheme>', 'Signature scheme: platform, standard or bearer. Default: platform.')
        .choices(['platform', 'standard', 'bearer'])
        .default('platform'),
    )
    .addOption(secretOption())
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  settingOptions(
    receivers
      .command('update')
      .description('Update a receiver (other settings stay unchanged)')
      .argument('<RECEIVER>', 'Receiver name or id'),
    false,
  )
    .option('--no-allow-sha1', 'Reject SHA-1 signatures')
    .option('--name <name>', 'New name')
    .option('--on', 'Activate the receiver')
    .addOption(new Option('--off', 'Deactivate the receiver (requests are rejected)').conflicts('on'))
    .addOption(formatOption())
    .action((receiver: string, { on, off, ...options }, command: Command) =>
      update({ receiver, ...options, ...(on && { active: true }), ...(off && { active: false }) }, command),
    );
  receivers
    .command('delete')
    .description('Delete a receiver and its deliveries')
    .argument('<RECEIVER>', 'Receiver name or id')
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => remove({ receiver, ...options }, command));
}

function addSecretCommands(receivers: Command, hooks: ProgramHooks): void {
  const rotate = runCommand(
    hooks,
    async () => (await import('../../commands/webhooks/receivers.ts')).runRotateSecret,
  );
  receivers
    .command('rotate-secret')
    .description('Rotate the secret of a receiver (old secrets stay valid for a while)')
    .argument('<RECEIVER>', 'Receiver name or id')
    .addOption(secretOption())
    .option(
      '--overlap-sec <seconds>',
      'How long the old secrets stay valid. Default: 86400.',
      wholeNumber(0, 30 * 86_400),
    )
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => rotate({ receiver, ...options }, command));
}

function addDeliveries(receivers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/received-deliveries.ts');
  const list = runCommand(hooks, async () => (await load()).runReceivedDeliveries);
  const replay = runCommand(hooks, async () => (await load()).runReplayReceived);
  receivers
    .command('deliveries')
    .description('List the deliveries of a receiver, or show the details of a delivery')
    .argument('<RECEIVER>', 'Receiver name or id')
    .argument('[ID]', 'Delivery id')
    .option('-l, --limit <number>', 'Maximum number of results. Default: 50.', wholeNumber(1, 1000), 50)
    .option('--refused', 'Show only deliveries that failed verification')
    .addOption(formatOption())
    .action((receiver: string, id: string | undefined, options, command: Command) =>
      list({ receiver, ...(id !== undefined && { id }), ...options }, command),
    );
  receivers
    .command('replay')
    .description('Replay a delivery with the current workflows')
    .argument('<RECEIVER>', 'Receiver name or id')
    .argument('<ID>', 'Delivery id')
    .addOption(formatOption())
    .action((receiver: string, id: string, options, command: Command) =>
      replay({ receiver, id, ...options }, command),
    );
}
