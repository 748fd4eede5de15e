import { InvalidArgumentError, Option, type Command } from 'commander';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';

const notes = `
Examples:
  engine workers
  engine workers drain gpu-1
  engine workers tokens create --note "GPU machines" --labels gpu=true > token.txt
  engine worker --coordinator https://box:8190 --token-file token.txt`;

/** Adds the command that shows and manages workers of coordinators. */
export function addWorkersCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/serving/workers.ts');
  const list = carryOut(hooks, async () => (await load()).runWorkers);
  const coordinators = carryOut(hooks, async () => (await load()).runCoordinators);
  const change = carryOut(hooks, async () => (await load()).runWorkerChange);
  const workers = program
    .command('workers')
    .description('show and manage the workers of coordinators')
    .addHelpText('after', notes);
  workers
    .command('list', { isDefault: true })
    .description('list the workers with what they are doing')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  workers
    .command('coordinators')
    .description('list the coordinators that workers talk to')
    .addOption(formatOption())
    .action((options, command: Command) => coordinators(options, command));
  for (const [verb, description] of changes) {
    workers
      .command(verb)
      .description(description)
      .argument('<WORKER>', 'id of the worker')
      .addOption(formatOption())
      .action((worker: string, options, command: Command) =>
        change({ worker, change: verb, ...options }, command),
      );
  }
  addTokens(workers, hooks);
}

const changes = [
  ['drain', 'give it nothing new; what it runs goes on'],
  ['resume', 'give it work again'],
  ['remove', 'forget it and its credential; what it still runs is lost'],
] as const;

function addTokens(workers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/serving/join-tokens.ts');
  const list = carryOut(hooks, async () => (await load()).runJoinTokens);
  const create = carryOut(hooks, async () => (await load()).runJoinTokenCreate);
  const remove = carryOut(hooks, async () => (await load()).runJoinTokenDelete);
  const tokens = workers.command('tokens').description('manage the tokens by which workers join');
  tokens
    .command('list', { isDefault: true })
    .description('list them, without their secrets')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  tokens
    .command('create')
    .description('make a token; only the secret goes to stdout, this once')
    .option('--note <text>', 'what it is for')
    .addOption(
      new Option(
        '--labels <list>',
        'labels of every worker that joins by it, as in gpu=true,region=eu',
      ).argParser(parseLabels),
    )
    .option('--expires-in-days <days>', 'when it ends (default: never)', wholeNumber(1, 3650))
    .addOption(formatOption())
    .action((options, command: Command) => create(options, command));
  tokens
    .command('delete')
    .description('end a token; workers that have joined stay')
    .argument('<TOKEN>', 'its id')
    .addOption(formatOption())
    .action((token: string, options, command: Command) => remove({ token, ...options }, command));
}

function parseLabels(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split(/=(.*)/s, 2);
      if (name === undefined || name.trim() === '' || value === undefined)
        throw new InvalidArgumentError(
          `It takes name=value pairs, as in gpu=true,region=eu; "${pair}" is none.`,
        );
      return [name.trim(), value.trim()];
    }),
  );
}
