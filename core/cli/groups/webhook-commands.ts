import { Option, type Command, InvalidArgumentError } from 'commander';
import { webhookKinds } from '../../contract/webhook-views.ts';
import { receiverMethods, receiverSchemes, type ReceiverMethod } from '../../model/webhook.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../command-context.ts';
import { formatOption, wholeNumber } from '../options.ts';

/** Adds `webhooks receivers`: incoming webhook endpoints and their deliveries. */
function addReceiverCommands(webhooks: Command, hooks: ProgramHooks): void {
  const receivers = webhooks
    .command('receivers')
    .description('Manage webhook receivers and their deliveries')
    .addHelpText('after', commandNotes.receivers);
  addSettingsOptions(receivers, hooks);
  addSecretCommands(receivers, hooks);
  addReceivedDeliveries(receivers, hooks);
}

/** Returns the option for the source of a new secret. */
const secretOption = (): Option =>
  new Option(
    '--secret-stdin',
    'Read the secret from the first line of stdin. Default: generate and show a secret.',
  ).default(false);

function readMethods(text: string): ReceiverMethod[] {
  const names = parseNames(text.toUpperCase());
  const methods = receiverMethods.filter((method) => names.includes(method));
  if (names.length > 0 && names.length === methods.length) return methods;
  throw new InvalidArgumentError(`Expected one or more of ${receiverMethods.join(', ')}.`);
}

/** @param isNew whether omitted options get defaults; for an existing receiver they stay unchanged */
function settingOptions(command: Command, isNew: boolean): Command {
  const defaultNote = (value: number): string => (isNew ? ` Default: ${value}.` : '');
  return command
    .option(
      '--methods <names>',
      `HTTP methods to allow (comma-separated): POST, GET, PUT, PATCH.${isNew ? ' Default: POST.' : ''}`,
      readMethods,
    )
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
  const load = () => import('../commands/receivers.ts');
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
      new Option(
        '--scheme <scheme>',
        'Signature scheme: platform, standard, bearer, slack, stripe, gitlab, microsoft, basic or header. Default: platform.',
      )
        .choices([...receiverSchemes])
        .default('platform'),
    )
    .addOption(secretOption())
    .addOption(formatOption())
    .action((name: string, options, command: Command) => create({ name, ...options }, command));
  settingOptions(
    receivers
      .command('update')
      .description('Update a receiver (other settings are not changed)')
      .argument('<RECEIVER>', 'Receiver name or ID'),
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
    .argument('<RECEIVER>', 'Receiver name or ID')
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => remove({ receiver, ...options }, command));
}

function addSecretCommands(receivers: Command, hooks: ProgramHooks): void {
  const rotate = runCommand(hooks, async () => (await import('../commands/receivers.ts')).runRotateSecret);
  receivers
    .command('rotate-secret')
    .description('Rotate the secret of a receiver (old secrets remain valid for a limited time)')
    .argument('<RECEIVER>', 'Receiver name or ID')
    .addOption(secretOption())
    .option(
      '--overlap-sec <seconds>',
      'How long the old secrets remain valid. Default: 86400.',
      wholeNumber(0, 30 * 86_400),
    )
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => rotate({ receiver, ...options }, command));
}

function addReceivedDeliveries(receivers: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/receivers.ts');
  const list = runCommand(hooks, async () => (await load()).runReceivedDeliveries);
  const replay = runCommand(hooks, async () => (await load()).runReplayReceived);
  receivers
    .command('deliveries')
    .description('List the deliveries of a receiver, or show the details of a delivery')
    .argument('<RECEIVER>', 'Receiver name or ID')
    .argument('[ID]', 'Delivery ID')
    .option('-l, --limit <number>', 'Maximum number of results. Default: 50.', wholeNumber(1, 1000), 50)
    .option('--refused', 'Show only deliveries that failed verification')
    .addOption(formatOption())
    .action((receiver: string, id: string | undefined, options, command: Command) =>
      list({ receiver, ...(id !== undefined && { id }), ...options }, command),
    );
  const sample = runCommand(hooks, async () => (await load()).runSendSample);
  receivers
    .command('send-sample')
    .description('Send a signed sample to the running server')
    .argument('<RECEIVER>', 'Receiver name or ID')
    .option('--event <name>', 'Event name. Default: a typical event of the scheme.')
    .option('--payload <file>', 'JSON payload; - for stdin. Default: a typical payload.')
    .addOption(formatOption())
    .action((receiver: string, options, command: Command) => sample({ receiver, ...options }, command));
  receivers
    .command('replay')
    .description('Replay a delivery with the current workflows')
    .argument('<RECEIVER>', 'Receiver name or ID')
    .argument('<ID>', 'Delivery ID')
    .addOption(formatOption())
    .action((receiver: string, id: string, options, command: Command) =>
      replay({ receiver, id, ...options }, command),
    );
}

const maxId = 999_999_999_999_999;
const parseId = wholeNumber(1, maxId);

const parseNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Parses permissions of an app, for example `Contents,Checks=write`: read by default, or write. */
function readPermissions(text: string): Record<string, 'read' | 'write'> {
  const entries = parseNames(text).map((entry): [string, 'read' | 'write'] => {
    const [, label = '', level = 'read'] = /^([^=]+?) *(?:= *(.*))?$/.exec(entry) ?? [];
    if (label !== '' && (level === 'read' || level === 'write')) return [label, level];
    throw new InvalidArgumentError('Expected permissions such as Contents=read,Checks=write.');
  });
  return Object.fromEntries(entries);
}

const permissionsOption = (): Option =>
  new Option(
    '--permissions <names>',
    'Permissions of an app webhook, such as Contents=read,Checks=write',
  ).argParser(readPermissions);

const kindOption = (meaning: string): Option =>
  new Option('--kind <kind>', meaning).choices([...webhookKinds]);

/** Adds the commands for outgoing webhooks. */
export function addWebhookCommands(program: Command, hooks: ProgramHooks): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhooks')
    .addHelpText('after', commandNotes.webhooks);
  addWebhooks(webhooks, hooks);
  addChanges(webhooks, hooks);
  addDeliveries(webhooks, hooks);
  addEvents(webhooks, hooks);
  addReceiverCommands(webhooks, hooks);
}

function addWebhooks(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/webhooks.ts');
  const list = runCommand(hooks, async () => (await load()).runWebhooks);
  const create = runCommand(hooks, async () => (await load()).runWebhookCreate);
  const remove = runCommand(hooks, async () => (await load()).runWebhookDelete);
  webhooks
    .command('list', { isDefault: true })
    .description('List webhooks')
    .addOption(kindOption('Filter by scope'))
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  webhooks
    .command('create')
    .description('Create a webhook and send a ping')
    .argument('<URL>', 'Target URL')
    .addOption(kindOption('Scope of the webhook. Default: repository.'))
    .option('--owner <name>', 'Name of the owner. Default: the name of this home.')
    .option('--events <names>', 'Events to send (comma-separated). Default: all.', parseNames)
    .option('--secret-stdin', 'Read the signing secret from the first line of stdin', false)
    .option('--form', 'Send form-encoded payloads instead of JSON', false)
    .option('--allow-private', 'Allow loopback and private network addresses', false)
    .option('--insecure', 'Skip TLS certificate verification', false)
    .option('--github-headers', 'Send X-GitHub-* headers in addition to X-Platform-*', false)
    .addOption(permissionsOption())
    .addOption(formatOption())
    .action((url: string, options, command: Command) => create({ url, ...options }, command));
  webhooks
    .command('delete')
    .description('Delete a webhook')
    .argument('<ID>', 'Webhook ID', parseId)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => remove({ id, ...options }, command));
}

function addChanges(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/webhooks.ts');
  const update = runCommand(hooks, async () => (await load()).runWebhookUpdate);
  const rotate = runCommand(hooks, async () => (await load()).runWebhookSecret);
  webhooks
    .command('update')
    .description('Update a webhook (other settings are not changed)')
    .argument('<ID>', 'Webhook ID', parseId)
    .option('--url <url>', 'Target URL')
    .option('--events <names>', 'Events to send (comma-separated), or * for all', parseNames)
    .option('--on', 'Activate the webhook, also after it was disabled automatically')
    .addOption(new Option('--off', 'Deactivate the webhook').conflicts('on'))
    .addOption(new Option('--body <format>', 'Payload format: json or form').choices(['json', 'form']))
    .option('--allow-private', 'Allow loopback and private network addresses')
    .option('--no-allow-private', 'Reject loopback and private network addresses')
    .option('--insecure', 'Skip TLS certificate verification')
    .option('--no-insecure', 'Verify TLS certificates')
    .option('--github-headers', 'Send X-GitHub-* headers in addition to X-Platform-*')
    .option('--no-github-headers', 'Send only X-Platform-* headers')
    .addOption(permissionsOption())
    .addOption(formatOption())
    .action((id: number, { on, off, ...options }, command: Command) =>
      update({ id, ...options, ...(on && { active: true }), ...(off && { active: false }) }, command),
    );
  webhooks
    .command('rotate-secret')
    .description('Rotate the secret of a webhook (the old secret remains valid for a limited time)')
    .argument('<ID>', 'Webhook ID', parseId)
    .addOption(secretOption())
    .option(
      '--overlap-hours <hours>',
      'How long the old secret remains valid. Default: 24.',
      wholeNumber(0, 168),
    )
    .addOption(formatOption())
    .action((id: number, options, command: Command) => rotate({ id, ...options }, command));
}

function addDeliveries(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/deliveries.ts');
  const list = runCommand(hooks, async () => (await load()).runDeliveries);
  const redeliver = runCommand(hooks, async () => (await load()).runRedeliver);
  const replay = runCommand(hooks, async () => (await load()).runReplay);
  webhooks
    .command('deliveries')
    .description('List the deliveries of a webhook, or show the details of a delivery')
    .argument('<ID>', 'Webhook ID', parseId)
    .argument('[DELIVERY]', 'Delivery ID', parseId)
    .option('--failed', 'Show only failed deliveries', false)
    .option('--limit <count>', 'Maximum number of results. Default: 20.', wholeNumber(1, 100_000))
    .addOption(formatOption())
    .action((id: number, delivery: number | undefined, options, command: Command) =>
      list({ id, ...(delivery !== undefined && { delivery }), ...options }, command),
    );
  webhooks
    .command('redeliver')
    .description('Redeliver a delivery')
    .argument('<ID>', 'Webhook ID', parseId)
    .argument('<DELIVERY>', 'Delivery ID', parseId)
    .addOption(formatOption())
    .action((id: number, delivery: number, options, command: Command) =>
      redeliver({ id, delivery, ...options }, command),
    );
  webhooks
    .command('replay')
    .description('Redeliver all failed events since a time')
    .argument('<ID>', 'Webhook ID', parseId)
    .requiredOption('--since <time>', 'Start time, such as 2026-01-31T08:00:00Z or a Unix timestamp')
    .option('--all', 'Include successful deliveries', false)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => replay({ id, ...options }, command));
}

function addEvents(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/deliveries.ts');
  const emit = runCommand(hooks, async () => (await load()).runEmit);
  const ping = runCommand(hooks, async () => (await load()).runPing);
  const catalog = runCommand(hooks, async () => (await load()).runCatalog);
  webhooks
    .command('emit')
    .description('Send an event to all subscribed webhooks')
    .argument('<EVENT>', 'Event name')
    .requiredOption('--payload <file>', 'JSON file with the payload, or - for stdin')
    .option(
      '--refs-at-once <count>',
      'Number of branches or tags in the same push. Default: 1.',
      wholeNumber(1, 1_000_000),
    )
    .addOption(formatOption())
    .action((event: string, options, command: Command) => emit({ event, ...options }, command));
  webhooks
    .command('ping')
    .description('Send a ping event to a webhook')
    .argument('<ID>', 'Webhook ID', parseId)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => ping({ id, ...options }, command));
  webhooks
    .command('catalog')
    .description('List all event types')
    .addOption(kindOption('Show only events available to this scope'))
    .addOption(formatOption())
    .action((options, command: Command) => catalog(options, command));
}
