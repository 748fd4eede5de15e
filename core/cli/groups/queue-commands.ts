import { InvalidArgumentError, Option, type Command } from 'commander';
import { dagNamePattern, runIdPattern } from '../../base/ids.ts';
import { priorities } from '../../model/queue.ts';
import type { RunRef } from '../../model/run.ts';
import type { EnqueueInput } from '../commands/queues.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks } from '../command-context.ts';
import { formatOption, nameOption, newRunIdOption, wholeNumber, readDag } from '../options.ts';

/** Adds the queue commands. */
export function addQueueCommands(program: Command, hooks: ProgramHooks): void {
  addEnqueue(program, hooks);
  addDequeue(program, hooks);
  addQueues(program, hooks);
}

function addEnqueue(program: Command, hooks: ProgramHooks): void {
  const enqueue = runCommand(hooks, async () => (await import('../commands/queues.ts')).runEnqueue);
  program
    .command('enqueue')
    .description('Add a run of a workflow to a queue')
    .usage('[options] <DAG> [-- params...]')
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[params...]', 'Parameters after --: NAME=value or positional values')
    .option('-p, --params <text>', 'All parameters in one string (quotes allowed)')
    .addOption(nameOption())
    .addOption(newRunIdOption())
    .option('-u, --queue <name>', 'Queue name. Default: the queue of the workflow.')
    .addOption(
      new Option('--priority <number>', 'Runs with a higher priority start first. Default: 0.').argParser(
        parsePriority,
      ),
    )
    .option('--singleton', 'Fail if a run of the workflow is active or queued', false)
    .option('--default-working-dir <dir>', 'Default working directory for workflows that set none')
    .option('-q, --quiet', 'Print nothing', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.enqueue)
    .action((_dag, _params, options: Omit<EnqueueInput, 'dag' | 'words'>, command: Command) => {
      const dag = readDag(command, hooks) ?? '';
      return enqueue({ ...options, dag, words: hooks.words }, command);
    });
}

function addDequeue(program: Command, hooks: ProgramHooks): void {
  const dequeue = runCommand(hooks, async () => (await import('../commands/queues.ts')).runDequeue);
  program
    .command('dequeue')
    .description('Remove the oldest run, or another run, from a queue')
    .argument('<QUEUE>', 'Queue name, or workflow name if the workflow has no queue')
    .addOption(
      new Option('-d, --dag-run <name:id>', 'Remove this run instead of the oldest').argParser(parseDagRun),
    )
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dequeue)
    .action((queue: string, options, command: Command) => dequeue({ queue, ...options }, command));
}

function addQueues(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../commands/queues.ts');
  const list = runCommand(hooks, async () => (await load()).runQueues);
  const items = runCommand(hooks, async () => (await load()).runQueueItems);
  const change = runCommand(hooks, async () => (await load()).runQueueChange);
  const queues = program
    .command('queues')
    .description('Show and manage queues')
    .addHelpText('after', commandNotes.queues);
  queues
    .command('list', { isDefault: true })
    .description('List queues with active and queued runs')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  queues
    .command('items')
    .description('List the runs of a queue in start order')
    .argument('<QUEUE>', 'Queue name')
    .option('--limit <count>', 'Maximum number of results. Default: 50.', wholeNumber(1, 1_000_000), 50)
    .addOption(formatOption())
    .action((queue: string, options, command: Command) => items({ queue, ...options }, command));
  for (const [verb, description] of queueChanges) {
    queues
      .command(verb)
      .description(description)
      .argument('<QUEUE>', 'Queue name')
      .addOption(formatOption())
      .action((queue: string, options, command: Command) =>
        change({ queue, change: verb, ...options }, command),
      );
  }
}

const queueChanges = [
  ['pause', 'Pause a queue (active runs continue)'],
  ['drain', 'Drain a queue (accepts no new runs, still starts queued runs)'],
  ['resume', 'Resume a queue'],
] as const;

function parsePriority(text: string): number {
  const value = /^-?\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= priorities.min && value <= priorities.max) return value;
  throw new InvalidArgumentError(`Expected a whole number from ${priorities.min} to ${priorities.max}.`);
}

function parseDagRun(text: string): RunRef {
  const at = text.lastIndexOf(':');
  const [name, dagRunId] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (new RegExp(dagNamePattern).test(name) && new RegExp(runIdPattern).test(dagRunId))
    return { name, dagRunId };
  throw new InvalidArgumentError('Expected a workflow name and a run ID, such as etl:nightly-7.');
}
