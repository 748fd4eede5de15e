import type { Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import { commandNames } from '../command-names.ts';
import { commandNotes } from '../help-texts.ts';
import { formatOption, fromRunIdOption, nameOption, newRunIdOption, runOption } from '../options.ts';
import { carryOut, carryOutOnHome, type ProgramHooks } from '../hooks.ts';
import { readDag } from '../read-dag.ts';
import type { StartInput } from '../../commands/runs/start.ts';

/** Adds the commands that make something happen. */
export function addRunCommands(program: Command, hooks: ProgramHooks): void {
  addStart(program, hooks);
  addRetry(program, hooks);
  addRestart(program, hooks);
  addStop(program, hooks);
  addRecover(program, hooks);
}

function addStart(program: Command, hooks: ProgramHooks): void {
  const start = carryOut(hooks, async () => (await import('../../commands/runs/start.ts')).runStart);
  program
    .command('start', { isDefault: true })
    .description('run a workflow to its end (the default command)')
    .usage('[options] [DAG] [-- params...]')
    .argument('[DAG]', 'YAML file, or name of a workflow of the home; without it you choose from a list')
    .argument('[params...]', 'after --: parameters, NAME=value or by place')
    .option('-p, --params <text>', 'all parameters as one text, quotes allowed')
    .addOption(nameOption())
    .addOption(newRunIdOption())
    .addOption(fromRunIdOption())
    .option('--default-working-dir <dir>', 'working directory of workflows that name none')
    .option('--singleton', 'refuse while any run of the workflow is active or waits', false)
    .option('--disable-max-active-runs', 'start it whatever "maxActiveRuns" of the workflow says', false)
    .option('-n, --no-queue', 'no effect: start never waits in a queue (for scripts written for Dagu)')
    .option('-q, --quiet', 'show no progress and no summary', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.start)
    .action(async (_dag, _params, options: Omit<StartInput, 'dag' | 'words'>, command: Command) => {
      const dag = readDag(command, hooks, (first) => suggestCommand(first));
      try {
        await start({ ...options, dag, words: hooks.words }, command);
      } catch (thrown) {
        const isNamed = command.parent?.args[0] === command.name();
        throw isNamed ? thrown : suspectCommand(dag, thrown);
      }
    });
}

/** A workflow that does not exist may be a mistyped command, since `start` is the default one. */
function suspectCommand(dag: string | undefined, thrown: unknown): unknown {
  if (dag === undefined || !(thrown instanceof AppError) || thrown.code !== 'not_found' || thrown.details)
    return thrown;
  const hint = suggestCommand(dag);
  return hint === undefined ? thrown : new AppError('not_found', thrown.message, { details: { hint } });
}

function suggestCommand(word: string): string | undefined {
  const nearest = findNearest(word, commandNames);
  return nearest === undefined ? undefined : `did you mean engine ${nearest}?`;
}

function addRetry(program: Command, hooks: ProgramHooks): void {
  const retry = carryOut(hooks, async () => (await import('../../commands/runs/retry.ts')).runRetry);
  program
    .command('retry')
    .description('let an ended run go on: run again what failed, or one step')
    .argument('[DAG]', 'YAML file, or name of a workflow; may be left out with --name')
    .addOption(nameOption('the name that the run was started under with --name'))
    .addOption(runOption())
    .option('--step <name>', 'only this step, whatever its end was')
    .option('--downstream', 'with --step: what depends on it, too', false)
    .option('--dry-run', 'only say what would run again', false)
    .option('-q, --quiet', 'show no plan, no progress and no summary', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.retry)
    .action((dag: string | undefined, options, command: Command) => retry({ dag, ...options }, command));
}

function addRestart(program: Command, hooks: ProgramHooks): void {
  const restart = carryOut(hooks, async () => (await import('../../commands/runs/restart.ts')).runRestart);
  program
    .command('restart')
    .description('stop a running workflow and run it anew with the same parameters')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .addOption(runOption())
    .option('-q, --quiet', 'show no progress and no summary', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.restart)
    .action((dag: string, options, command: Command) => restart({ dag, ...options }, command));
}

function addStop(program: Command, hooks: ProgramHooks): void {
  const stop = carryOut(hooks, async () => (await import('../../commands/runs/stop.ts')).runStop);
  program
    .command('stop')
    .description('stop a running workflow in order, whichever process runs it')
    .argument('<DAG>', 'YAML file, or name of a workflow')
    .addOption(runOption())
    .option('--all', 'every active and waiting run of the workflow', false)
    .option('--wait', 'return when the run has ended', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.stop)
    .action((dag: string, options, command: Command) => stop({ dag, ...options }, command));
}

function addRecover(program: Command, hooks: ProgramHooks): void {
  const recover = carryOutOnHome(
    hooks,
    async () => (await import('../../commands/runs/recover.ts')).runRecover,
  );
  program
    .command('recover')
    .description('take over runs whose process is gone and drive them to their ends')
    .option('-q, --quiet', 'show nothing', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.recover)
    .action((options, command: Command) => recover(options, command));
}
