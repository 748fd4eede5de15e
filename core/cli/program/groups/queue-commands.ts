import { InvalidArgumentError, Option, type Command } from 'commander';
import { dagNamePattern, runIdPattern } from '../../../base/ids.ts';
import { priorities } from '../../../model/queue.ts';
import type { RunRef } from '../../../model/run/run.ts';
import type { EnqueueInput } from '../../commands/queue/enqueue.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, nameOption, newRunIdOption, wholeNumber } from '../options.ts';
import { readDag } from '../read-dag.ts';

/** Adds the commands that deal with queues. */
export function addQueueCommands(program: Command, hooks: ProgramHooks): void {
  addEnqueue(program, hooks);
  addDequeue(program, hooks);
  addQueues(program, hooks);
}

function addEnqueue(program: Command, hooks: ProgramHooks): void {
  const enqueue = carryOut(hooks, async () => (await import('../../commands/queue/enqueue.ts')).runEnqueue);
  program
    .command('enqueue')
    .description('put a run of a workflow into its queue')
    .usage('[options] <DAG> [-- params...]')
    .argument('<DAG>', 'YAML file, or name of a workflow of the home')
    .argument('[params...]', 'after --: parameters, NAME=value or by place')
    .option('-p, --params <text>', 'all parameters as one text, quotes allowed')
    .addOption(nameOption())
    .addOption(newRunIdOption())
    .option('-u, --queue <name>', "queue to wait in (default: the workflow's)")
    .addOption(
      new Option('--priority <number>', 'runs with a higher one start first (default: 0)').argParser(
        parsePriority,
      ),
    )
    .option('--singleton', 'refuse while any run of the workflow is active or waits', false)
    .option('--default-working-dir <dir>', 'working directory of workflows that name none')
    .option('-q, --quiet', 'show nothing', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.enqueue)
    .action((_dag, _params, options: Omit<EnqueueInput, 'dag' | 'words'>, command: Command) => {
      const dag = readDag(command, hooks) ?? '';
      return enqueue({ ...options, dag, words: hooks.words }, command);
    });
}

function addDequeue(program: Command, hooks: ProgramHooks): void {
  const dequeue = carryOut(hooks, async () => (await import('../../commands/queue/dequeue.ts')).runDequeue);
  program
    .command('dequeue')
    .description('take a waiting run out of a queue: the oldest one, or the one named')
    .argument('<QUEUE>', 'name of the queue; that of the workflow when it has none of its own')
    .addOption(new Option('-d, --dag-run <name:id>', 'this run instead of the oldest').argParser(parseDagRun))
    .addOption(formatOption())
    .addHelpText('after', commandNotes.dequeue)
    .action((queue: string, options, command: Command) => dequeue({ queue, ...options }, command));
}

function addQueues(program: Command, hooks: ProgramHooks): void {
  const load = () => import('../../commands/queue/queues.ts');
  const list = carryOut(hooks, async () => (await load()).runQueues);
  const items = carryOut(hooks, async () => (await load()).runQueueItems);
  const change = carryOut(hooks, async () => (await load()).runQueueChange);
  const queues = program
    .command('queues')
    .description('show the queues, and open or close them')
    .addHelpText('after', commandNotes.queues);
  queues
    .command('list', { isDefault: true })
    .description('list the queues with what is active and waits')
    .addOption(formatOption())
    .action((options, command: Command) => list(options, command));
  queues
    .command('items')
    .description('list what waits in a queue, in the order in which it starts')
    .argument('<QUEUE>', 'name of the queue')
    .option('--limit <count>', 'how many at most (default: 50)', wholeNumber(1, 1_000_000), 50)
    .addOption(formatOption())
    .action((queue: string, options, command: Command) => items({ queue, ...options }, command));
  for (const [verb, description] of queueChanges) {
    queues
      .command(verb)
      .description(description)
      .argument('<QUEUE>', 'name of the queue')
      .addOption(formatOption())
      .action((queue: string, options, command: Command) =>
        change({ queue, change: verb, ...options }, command),
      );
  }
}

const queueChanges = [
  ['pause', 'start nothing of it any more; what is active goes on'],
  ['drain', 'take no new runs; what waits is still started'],
  ['resume', 'open it again'],
] as const;

function parsePriority(text: string): number {
  const value = /^-?\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= priorities.least && value <= priorities.most) return value;
  throw new InvalidArgumentError(`It takes a whole number from ${priorities.least} to ${priorities.most}.`);
}

function parseDagRun(text: string): RunRef {
  const at = text.lastIndexOf(':');
  const [name, dagRunId] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (new RegExp(dagNamePattern).test(name) && new RegExp(runIdPattern).test(dagRunId))
    return { name, dagRunId };
  throw new InvalidArgumentError('It takes the name of a workflow and the id of a run, as in etl:nightly-7.');
}
