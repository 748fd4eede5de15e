import { Option, type Command } from 'commander';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';

/** Adds `webhooks receivers`: addresses that take webhooks, and what came to them. */
export function addReceiverCommands(webhooks: Command, hooks: ProgramHooks): void {
  const receivers = webhooks
    .command('receivers')
    .description('manage the addresses that take webhooks, and see what came')
    .addHelpText('after', commandNotes.receivers);
  addSettings(receivers, hooks);
  addSecrets(receivers, hooks);
  addDeliveries(receivers, hooks);
}

/** Where a secret comes from that is new. */
export const secretOption = (): Option =>
  new Option(
    '--secret-stdin',
    'take the secret from the first line of stdin (default: make one and show it)',
  ).default(false);

/** @param isNew what is left out has a value of its own then; of a receiver that is there it stays as it is */
function settingOptions(command: Command, isNew: boolean): Command {
  const otherwise = (value: number): string => (isNew ? ` (default: ${value})` : '');
  return command
    .option('--max-body <bytes>', `longest body${otherwise(26_214_400)}`, wholeNumber(1, 25 * 1_048_576))
    .option(
      '--dedupe-sec <seconds>',
      `how long a repeated delivery is known as one, 0 for never${otherwise(259_200)}`,
      wholeNumber(0, 365 * 86_400),
    )
    .option('--keep-days <days>', `how long deliveries are kept${otherwise(30)}`, wholeNumber(1, 3650))
    .option('--allow-sha1', 'take a SHA-1 signature where there is no other');
}

function addSettings(receivers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/receivers.ts');
  const list = carryOut(hooks, async () => (await load()).runReceivers);
  const create = carryOut(hooks, async () => (await load()).runReceiverCreate);
  const update = carryOut(hooks, async () => (await load()).runReceiverUpdate);
  const remove = carryOut(hooks, async () => (await load()).runReceiverDelete);
  receivers
    .command('list', { isDefault: true })
    .description('list the receivers')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  settingOptions(
    receivers
      .command('create')
      .description('make a receiver; its address goes to stdout')
      .argument('<NAME>', 'what it is called'),
    true,
  )
    .addOption(
      new Option('--scheme <scheme>', 'how requests are proved: platform (default), standard or bearer')
        .choices(['platform', 'standard', 'bearer'])
        .default('platform'),
    )
    .addOption(secretOption())
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  settingOptions(
    receivers
      .command('update')
      .description('change a receiver; what is left out stays as it is')
      .argument('<RECEIVER>', 'its name or id'),
    false,
  )
    .option('--no-allow-sha1', 'take no SHA-1 signature')
    .option('--name <name>', 'new name')
    .option('--on', 'take requests')
    .addOption(new Option('--off', 'refuse requests').conflicts('on'))
    .addOption(formatOption())
    .action((receiver: string, { on, off, ...options }, command: Command) =>
      update({ receiver, ...options, ...(on && { active: true }), ...(off && { active: false }) }, command),
    );
  receivers
    .command('delete')
    .description('remove a receiver with everything that came to it')
    .argument('<RECEIVER>', 'its name or id')
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => remove({ receiver, ...options }, command));
}

function addSecrets(receivers: Command, hooks: ProgramHooks): void {
  const rotate = carryOut(
    hooks,
    async () => (await import('../../commands/webhooks/receivers.ts')).runRotateSecret,
  );
  receivers
    .command('rotate-secret')
    .description('give a receiver a new secret; the old ones count for a while')
    .argument('<RECEIVER>', 'its name or id')
    .addOption(secretOption())
    .option(
      '--overlap-sec <seconds>',
      'how long the old secrets count (default: 86400)',
      wholeNumber(0, 30 * 86_400),
    )
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => rotate({ receiver, ...options }, command));
}

function addDeliveries(receivers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/received-deliveries.ts');
  const list = carryOut(hooks, async () => (await load()).runReceivedDeliveries);
  const replay = carryOut(hooks, async () => (await load()).runReplayReceived);
  receivers
    .command('deliveries')
    .description('list what came to a receiver, or show one of it and why it did not start a workflow')
    .argument('<RECEIVER>', 'its name or id')
    .argument('[ID]', 'one delivery')
    .option('-l, --limit <number>', 'how many at most (default: 50)', wholeNumber(1, 1000), 50)
    .option('--refused', 'only those that were not proved')
    .addOption(formatOption())
    .action((receiver: string, id: string | undefined, options, command: Command) =>
      list({ receiver, ...(id !== undefined && { id }), ...options }, command),
    );
  receivers
    .command('replay')
    .description('replay a delivery, with the workflows as they are now')
    .argument('<RECEIVER>', 'its name or id')
    .argument('<ID>', 'the delivery')
    .addOption(formatOption())
    .action((receiver: string, id: string, options, command: Command) =>
      replay({ receiver, id, ...options }, command),
    );
}
