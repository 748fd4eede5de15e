import { Option, type Command } from 'commander';
import { hookKinds } from '../../../contract/webhooks/events.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';
import { addReceiverCommands } from './receiver-commands.ts';

const mostId = 999_999_999_999_999;
const idOf = wholeNumber(1, mostId);

const listOfNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const kindOption = (meaning: string): Option => new Option('--kind <kind>', meaning).choices([...hookKinds]);

/** Adds the commands about webhooks that are sent. */
export function addWebhookCommands(program: Command, hooks: ProgramHooks): void {
  const webhooks = program
    .command('webhooks')
    .description('manage who is told of what happens')
    .addHelpText('after', commandNotes.webhooks);
  addHooks(webhooks, hooks);
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
    .addOption(formatOption())
    .action((url: string, options, command: Command) => create({ url, ...options }, command));
  webhooks
    .command('delete')
    .description('delete a webhook')
    .argument('<ID>', 'id of the webhook', idOf)
    .addOption(formatOption())
    .action((id: number, options, command: Command) => remove({ id, ...options }, command));
}

function addDeliveries(webhooks: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/webhooks/deliveries.ts');
  const list = carryOut(hooks, async () => (await load()).runDeliveries);
  const redeliver = carryOut(hooks, async () => (await load()).runRedeliver);
  const replay = carryOut(hooks, async () => (await load()).runReplay);
  webhooks
    .command('deliveries')
    .description('list what a webhook was sent, newest first')
    .argument('<ID>', 'id of the webhook', idOf)
    .option('--failed', 'only what failed', false)
    .option('--limit <count>', 'how many at most (default: 20)', wholeNumber(1, 100_000))
    .addOption(formatOption())
    .action((id: number, options, command: Command) => list({ id, ...options }, command));
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
