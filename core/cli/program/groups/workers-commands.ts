import { InvalidArgumentError, Option, type Command } from 'commander';
import { runCommand, type ProgramHooks } from '../hooks.ts';
import { formatOption, wholeNumber } from '../options.ts';

const notes = `
Examples:
  engine workers
  engine workers drain gpu-1
  engine workers tokens create --note "GPU machines" --labels gpu=true > token.txt
  engine worker --coordinator https://box:8190 --token-file token.txt`;

/** Adds the commands that manage workers. */
export function addWorkersCommands(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/serving/workers.ts');
  const list = runCommand(hooks, async () => (await load()).runWorkers);
  const coordinators = runCommand(hooks, async () => (await load()).runCoordinators);
  const change = runCommand(hooks, async () => (await load()).runWorkerChange);
  const workers = program
    .command('workers')
    .description('Show and manage workers')
    .addHelpText('after', notes);
  workers
    .command('list', { isDefault: true })
    .description('List workers and their running steps')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  workers
    .command('coordinators')
    .description('List coordinators')
    .addOption(formatOption())
    .action((options, command: Command) => coordinators(options, command));
  for (const [verb, description] of changes) {
    workers
      .command(verb)
      .description(description)
      .argument('<WORKER>', 'Worker id')
      .addOption(formatOption())
      .action((worker: string, options, command: Command) =>
        change({ worker, change: verb, ...options }, command),
      );
  }
  addTokens(workers, hooks);
}

const changes = [
  ['drain', 'Drain a worker (running steps continue, no new steps)'],
  ['resume', 'Resume a drained worker'],
  ['remove', 'Remove a worker and its credential (running steps are lost)'],
] as const;

function addTokens(workers: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/serving/join-tokens.ts');
  const list = runCommand(hooks, async () => (await load()).runJoinTokens);
  const create = runCommand(hooks, async () => (await load()).runJoinTokenCreate);
  const remove = runCommand(hooks, async () => (await load()).runJoinTokenDelete);
  const tokens = workers.command('tokens').description('Manage join tokens for workers');
  tokens
    .command('list', { isDefault: true })
    .description('List join tokens (without secrets)')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  tokens
    .command('create')
    .description('Create a join token and print its secret once')
    .option('--note <text>', 'Note about the purpose of the token')
    .addOption(
      new Option(
        '--labels <list>',
        'Labels for all workers that join with the token, such as gpu=true,region=eu',
      ).argParser(parseLabels),
    )
    .option('--expires-in-days <days>', 'Days until the token expires. Default: never.', wholeNumber(1, 3650))
    .addOption(formatOption())
    .action((options, command: Command) => create(options, command));
  tokens
    .command('delete')
    .description('Revoke a join token (joined workers are not affected)')
    .argument('<TOKEN>', 'Token id')
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
          `Expected name=value pairs such as gpu=true,region=eu, but got "${pair}".`,
        );
      return [name.trim(), value.trim()];
    }),
  );
}
