import { InvalidArgumentError, Option, type Command } from 'commander';
import { hookKinds } from '../../../contract/webhooks/events.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';
import { addReceiverCommands, secretOption } from './receiver-commands.ts';

const mostId = 999_999_999_999_999;
const idOf = wholeNumber(1, mostId);

const listOfNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** `Contents,Checks=write`: what an app may read, and what it may write. */
function readPermissions(text: string): Record<string, 'read' | 'write'> {
  const entries = listOfNames(text).map((entry): [string, 'read' | 'write'] => {
    const [, label = '', level = 'read'] = /^([^=]+?) *(?:= *(.*))?$/.exec(entry) ?? [];
    if (label !== '' && (level === 'read' || level === 'write')) return [label, level];
    throw new InvalidArgumentError('It takes names such as Contents=read,Checks=write.');
  });
  return Object.fromEntries(entries);
}

const permissionsOption = (): Option =>
  new Option(
    '--permissions <names>',
    'of an app: what it may see, such as Contents=read,Checks=write',
  ).argParser(readPermissions);

const kindOption = (meaning: string): Option => new Option('--kind <kind>', meaning).choices([...hookKinds]);

/** Adds the commands about webhooks that are sent. */
export function addWebhookCommands(program: Command, hooks: ProgramHooks): void {
  const webhooks = program
    .command('webhooks')
    .description('manage who is told of what happens')
    .addHelpText('after', commandNotes.webhooks);
  addHooks(webhooks, hooks);
  addChanges(webhooks, hooks);
  addDeliveries(webhooks, hooks);
  addEvents(webhooks, hooks);
  addReceiverCommands(webhooks, hooks);
}

function addHooks(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/hooks.ts');
  const list = carryOut(hooks, async () => (await load()).runWebhooks);
  const create = carryOut(hooks, async () => (await load()).runWebhookCreate);
  const remove = carryOut(hooks, async () => (await load()).runWebhookDelete);
  webhooks
    .command('list', { isDefault: true })
    .description('list the webhooks')
    .addOption(kindOption('only those of these owners'))
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  webhooks
    .command('create')
    .description('make a webhook; it is pinged at once')
    .argument('<URL>', 'where to send')
    .addOption(kindOption('what it belongs to (default: repository)'))
    .option('--owner <name>', 'its name (default: that of this home)')
    .option('--events <names>', 'events, separated by commas (default: all)', listOfNames)
    .option('--secret-stdin', 'sign with the first line of stdin', false)
    .option('--form', 'send a form instead of JSON', false)
    .option('--allow-private', 'the address may be of this machine or a private network', false)
    .option('--insecure', 'take any certificate', false)
    .option('--github-headers', 'send X-GitHub-* headers beside X-Platform-*', false)
    .addOption(permissionsOption())
    .addOption(formatOption())
    .action((url: string, options, command: Command) => create({ url, ...options }, command));
  webhooks
    .command('delete')
    .description('delete a webhook')
    .argument('<ID>', 'id of the webhook', idOf)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => remove({ id, ...options }, command));
}

function addChanges(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/hook-changes.ts');
  const update = carryOut(hooks, async () => (await load()).runWebhookUpdate);
  const rotate = carryOut(hooks, async () => (await load()).runWebhookSecret);
  webhooks
    .command('update')
    .description('change a webhook; what is left out stays as it is')
    .argument('<ID>', 'id of the webhook', idOf)
    .option('--url <url>', 'where to send')
    .option('--events <names>', 'events, separated by commas; * for all', listOfNames)
    .option('--on', 'tell it of what happens, also after it was switched off by itself')
    .addOption(new Option('--off', 'tell it nothing').conflicts('on'))
    .addOption(new Option('--body <format>', 'send json or form').choices(['json', 'form']))
    .option('--allow-private', 'the address may be of this machine or a private network')
    .option('--no-allow-private', 'the address may not be of those')
    .option('--insecure', 'take any certificate')
    .option('--no-insecure', 'check the certificate')
    .option('--github-headers', 'send X-GitHub-* headers beside X-Platform-*')
    .option('--no-github-headers', 'send X-Platform-* headers only')
    .addOption(permissionsOption())
    .addOption(formatOption())
    .action((id: number, { on, off, ...options }, command: Command) =>
      update({ id, ...options, ...(on && { active: true }), ...(off && { active: false }) }, command),
    );
  webhooks
    .command('rotate-secret')
    .description('give a webhook a new secret; the one before still counts for a while')
    .argument('<ID>', 'id of the webhook', idOf)
    .addOption(secretOption())
    .option('--overlap-hours <hours>', 'how long the one before counts (default: 24)', wholeNumber(0, 168))
    .addOption(formatOption())
    .action((id: number, options, command: Command) => rotate({ id, ...options }, command));
}

function addDeliveries(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/deliveries.ts');
  const list = carryOut(hooks, async () => (await load()).runDeliveries);
  const redeliver = carryOut(hooks, async () => (await load()).runRedeliver);
  const replay = carryOut(hooks, async () => (await load()).runReplay);
  webhooks
    .command('deliveries')
    .description('list what a webhook was sent, newest first, or show one of it with the answer')
    .argument('<ID>', 'id of the webhook', idOf)
    .argument('[DELIVERY]', 'one delivery', idOf)
    .option('--failed', 'only what failed', false)
    .option('--limit <count>', 'how many at most (default: 20)', wholeNumber(1, 100_000))
    .addOption(formatOption())
    .action((id: number, delivery: number | undefined, options, command: Command) =>
      list({ id, ...(delivery !== undefined && { delivery }), ...options }, command),
    );
  webhooks
    .command('redeliver')
    .description('send a delivery again')
    .argument('<ID>', 'id of the webhook', idOf)
    .argument('<DELIVERY>', 'id of the delivery', idOf)
    .addOption(formatOption())
    .action((id: number, delivery: number, options, command: Command) =>
      redeliver({ id, delivery, ...options }, command),
    );
  webhooks
    .command('replay')
    .description('send again what was never delivered since a time')
    .argument('<ID>', 'id of the webhook', idOf)
    .requiredOption('--since <time>', 'such as 2026-01-31T08:00:00Z, or seconds since 1970')
    .option('--all', 'what was delivered, too', false)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => replay({ id, ...options }, command));
}

function addEvents(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/events.ts');
  const emit = carryOut(hooks, async () => (await load()).runEmit);
  const ping = carryOut(hooks, async () => (await load()).runPing);
  const catalog = carryOut(hooks, async () => (await load()).runCatalog);
  webhooks
    .command('emit')
    .description('tell webhooks of an event, as if it had happened')
    .argument('<EVENT>', 'name of the event')
    .requiredOption('--payload <file>', 'JSON file with the payload; - for stdin')
    .option(
      '--refs-at-once <count>',
      'how many branches or tags came in the same go (default: 1)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(formatOption())
    .action((event: string, options, command: Command) => emit({ event, ...options }, command));
  webhooks
    .command('ping')
    .description('send a webhook a ping')
    .argument('<ID>', 'id of the webhook', idOf)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => ping({ id, ...options }, command));
  webhooks
    .command('catalog')
    .description('list the events that there are')
    .addOption(kindOption('only those that these webhooks can have'))
    .addOption(formatOption())
    .action((options, command: Command) => catalog(options, command));
}
