import { type Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '../../base/errors.ts';
import type { Decision } from '../../model/approval.ts';
import { findSubcommand, suggestCommand } from '../command-names.ts';
import { looksLikePath } from '../arguments.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, runLocalCommand, type ProgramHooks } from '../command-context.ts';
import {
  formatOption,
  fromRunIdOption,
  nameOption,
  newRunIdOption,
  runOption,
  readDag,
  reportOption,
  wholeNumber,
} from '../options.ts';
import type { StartInput } from '../commands/start.ts';
import type { ExecInput } from '../commands/exec.ts';

/** Adds the commands that start and change runs. */
export function addRunCommands(program: Command, hooks: ProgramHooks): void {
  addStart(program, hooks);
  addRetry(program, hooks);
  addRestart(program, hooks);
  addStop(program, hooks);
  addRecover(program, hooks);
  addNote(program, hooks);
}

function addStart(program: Command, hooks: ProgramHooks): void {
  const start = runCommand(hooks, async () => (await import('../commands/start.ts')).runStart);
  program
    .command('start', { isDefault: true })
    .description('Run a workflow and wait for it to finish (default command)')
    .usage('[options] [DAG] [-- params...]')
    .argument('[DAG]', 'YAML file or workflow name. Default: choose from a list.')
    .argument('[params...]', 'Parameters after --: NAME=value or positional values')
    .option('-p, --params <text>', 'All parameters in one string (quotes allowed)')
    .addOption(nameOption())
    .addOption(newRunIdOption())
    .addOption(fromRunIdOption())
    .option('--default-working-dir <dir>', 'Default working directory for workflows that set none')
    .option('--singleton', 'Fail if a run of the workflow is active or queued', false)
    .option('--disable-max-active-runs', 'Ignore "maxActiveRuns" of the workflow', false)
    .option('-n, --no-queue', 'No effect: start never queues runs (for compatibility with Dagu)')
    .option('-q, --quiet', 'Hide progress and summary', false)
    .addOption(reportOption())
    .addOption(formatOption())
    .addHelpText('after', commandNotes.start)
    .action(async (_dag, _params, options: Omit<StartInput, 'dag' | 'words'>, command: Command) => {
      const isNamed = findSubcommand(program, program.args[0] ?? '') === command;
      const dag = readDag(command, hooks, isNamed ? undefined : suggestForTwoWords);
      try {
        await start({ ...options, dag, words: hooks.words }, command);
      } catch (error) {
        throw isNamed ? error : suggestCommandFor(dag, error);
      }
    });
}

/** Suggests a command for an unknown workflow, because `start` is the default command. */
function suggestCommandFor(dag: string | undefined, error: unknown): unknown {
  if (dag === undefined || !(error instanceof AppError) || error.code !== 'not_found') return error;
  const message = /^[\w-]+$/.test(dag)
    ? `Unknown command "${dag}" (and no workflow of that name).`
    : error.message;
  const known = suggestCommand(dag);
  if (error.details && known === undefined)
    return new AppError('not_found', message, { details: error.details });
  const hint = known ?? 'Run "engine --help" to see all commands.';
  return new AppError('not_found', message, { details: { hint } });
}

/** Two words without a command: the first is a command that does not exist, unless it is a file. */
const suggestForTwoWords = (first: string): string | undefined =>
  looksLikePath(first) ? undefined : (suggestCommand(first) ?? 'Run "engine --help" to see all commands.');

function addRetry(program: Command, hooks: ProgramHooks): void {
  const retry = runCommand(hooks, async () => (await import('../commands/run-control.ts')).runRetry);
  program
    .command('retry')
    .description('Retry a finished run: failed steps, or a single step')
    .argument('[DAG]', 'YAML file or workflow name (optional with --name)')
    .argument('[RUN]', 'Run ID (default: the latest run)')
    .addOption(nameOption('Name that the run was started with (--name)'))
    .addOption(runOption())
    .option('--current', 'Use the current file; keep the results that are still valid', false)
    .option('--from <step>', 'Run this step and the steps that depend on it; keep the steps before it')
    .option('--step <name>', 'Run only this step, regardless of its status')
    .option('--downstream', 'With --step: also run the steps that depend on it', false)
    .option('--accept-removed', 'With --current: continue although steps were removed or renamed', false)
    .option('--dry-run', 'Show which steps would run', false)
    .option('-q, --quiet', 'Hide plan, progress and summary', false)
    .addOption(reportOption())
    .addOption(formatOption())
    .addHelpText('after', commandNotes.retry)
    .action((dag: string | undefined, run: string | undefined, options, command: Command) =>
      retry({ dag, run, ...options }, command),
    );
}

function addRestart(program: Command, hooks: ProgramHooks): void {
  const restart = runCommand(hooks, async () => (await import('../commands/run-control.ts')).runRestart);
  program
    .command('restart')
    .description('Stop a run and start a new run with the same parameters')
    .argument('<DAG>', 'YAML file or workflow name')
    .addOption(runOption())
    .option('-q, --quiet', 'Hide progress and summary', false)
    .addOption(reportOption())
    .addOption(formatOption())
    .addHelpText('after', commandNotes.restart)
    .action((dag: string, options, command: Command) => restart({ dag, ...options }, command));
}

function addStop(program: Command, hooks: ProgramHooks): void {
  const stop = runCommand(hooks, async () => (await import('../commands/run-control.ts')).runStop);
  program
    .command('stop')
    .description('Stop a run gracefully')
    .argument('<DAG>', 'YAML file or workflow name')
    .addOption(runOption())
    .option('--all', 'Stop all active and queued runs of the workflow', false)
    .option('--wait', 'Wait until the run has stopped', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.stop)
    .action((dag: string, options, command: Command) => stop({ dag, ...options }, command));
}

function addRecover(program: Command, hooks: ProgramHooks): void {
  const recover = runLocalCommand(hooks, async () => (await import('../commands/run-control.ts')).runRecover);
  program
    .command('recover')
    .description('Recover runs whose process has died')
    .option('-q, --quiet', 'Print nothing', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.recover)
    .action((options, command: Command) => recover(options, command));
}

function addNote(program: Command, hooks: ProgramHooks): void {
  const note = runCommand(hooks, async () => (await import('../commands/run-control.ts')).runNote);
  program
    .command('note')
    .description('Show or change the note of a run')
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[TEXT]', 'New note (Markdown). Default: show the current note.')
    .addOption(runOption())
    .option('--delete', 'Delete the note', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.note)
    .action((dag: string, text: string | undefined, options, command: Command) =>
      note({ dag, text, ...options }, command),
    );
}

/** Adds the commands for approvals. */
export function addApprovalCommands(program: Command, hooks: ProgramHooks): void {
  addApprovals(program, hooks);
  addAnswer(program, hooks, 'approve', 'approved');
  addAnswer(program, hooks, 'reject', 'rejected');
}

function addApprovals(program: Command, hooks: ProgramHooks): void {
  const approvals = runCommand(hooks, async () => (await import('../commands/approvals.ts')).runApprovals);
  program
    .command('approvals')
    .description('List steps waiting for approval')
    .argument('[DAG]', 'YAML file or workflow name. Default: all workflows.')
    .option('--all', 'Include answered and expired requests', false)
    .option('--limit <count>', 'Maximum number of results. Default: 100.', wholeNumber(1, 1_000_000), 100)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.approvals)
    .action((dag: string | undefined, options, command: Command) => approvals({ dag, ...options }, command));
}

function addAnswer(
  program: Command,
  hooks: ProgramHooks,
  verb: 'approve' | 'reject',
  decision: Decision,
): void {
  const answer = runCommand(hooks, async () => (await import('../commands/approvals.ts')).runAnswer);
  const command = program
    .command(verb)
    .description(`${verb === 'approve' ? 'Approve' : 'Reject'} a step that is waiting for approval`)
    .argument('<DAG>', 'YAML file or workflow name')
    .argument('[STEP]', 'Step or handler. Default: the only one waiting.')
    .addOption(runOption('Run ID. Default: the only run waiting.'))
    .option('--comment <text>', 'Comment stored with the decision');
  if (decision === 'approved') command.addOption(inputOption());
  command
    .addOption(formatOption())
    .addHelpText('after', commandNotes[verb])
    .action((dag: string, step: string | undefined, options, self: Command) =>
      answer({ dag, step, decision, ...options }, self),
    );
}

const inputOption = (): Option =>
  new Option('--input <name=value>', 'Value for an input of the approval (repeatable)').argParser(
    (text: string, before: Readonly<Record<string, string>> | undefined) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected NAME=value.');
      return { ...before, [name]: value };
    },
  );

interface ExecOptions extends Omit<ExecInput, 'words' | 'workerLabels' | 'queue' | 'noQueue'> {
  readonly workerLabel: Readonly<Record<string, string>>;
  /** False with `--no-queue`. */
  readonly queue?: string | false;
}

/** Adds `exec`, which runs a command without a workflow file. */
export function addExecCommand(program: Command, hooks: ProgramHooks): void {
  const exec = runCommand(hooks, async () => (await import('../commands/exec.ts')).runExec);
  program
    .command('exec')
    .description('Run a command as a run with history and logs, without a workflow file')
    .usage('[options] -- <command> [arguments...]')
    .argument('[command...]', 'Program and arguments after --, or a single shell command')
    .addOption(newRunIdOption())
    .addOption(nameOption('Name of the run. Default: exec- plus the program name.'))
    .option('-E, --env <name=value>', 'Environment variable (repeatable)', collectVariables, [])
    .option('--dotenv <file>', 'Dotenv file with environment variables (repeatable)', collectFiles, [])
    .option('--workdir <dir>', 'Working directory. Default: current directory.')
    .option(
      '--shell <shell>',
      'Shell for the command, such as "bash -e". Default: no shell for a single program.',
    )
    .option('--base <file>', 'Base configuration file. Default: base.yaml of the home.')
    .option('-u, --queue <name>', 'Queue the run instead of starting it now')
    .option('-n, --no-queue', 'Never queue the run')
    .option('--singleton', 'Fail if a run with this name is active or queued', false)
    .option(
      '--worker-label <key=value>',
      'Run only on workers with this label (repeatable)',
      collectLabels,
      {},
    )
    .option('-q, --quiet', 'Print only the output of the command', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.exec)
    .action((_command: string[], { workerLabel, queue, ...options }: ExecOptions, command: Command) => {
      assertNoExtraArgs(command, hooks);
      return exec(
        {
          ...options,
          words: hooks.words,
          workerLabels: workerLabel,
          noQueue: queue === false,
          ...(typeof queue === 'string' && { queue }),
        },
        command,
      );
    });
}

/** Rejects words before `--`, which are ambiguous. */
function assertNoExtraArgs(command: Command, { words: args }: ProgramHooks): void {
  const [surplus] = command.args.slice(0, command.args.length - args.length);
  if (surplus === undefined) return;
  throw new AppError('bad_request', `Unexpected argument "${surplus}" before --.`, {
    details: { hint: `Put the command after --, for example: engine exec -- ${surplus}` },
  });
}

/** `NAME=value` of `--env`. */
export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Collects `--env NAME=value`. The value is everything after the first `=`. */
export function collectVariables(text: string, before: readonly Variable[]): Variable[] {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected NAME=value.');
  return [...before.filter(({ name }) => name !== match[1]), { name: match[1]!, value: match[2]! }];
}

/** Collects `--worker-label key=value`. */
export function collectLabels(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const match = /^([^=\s]+)=(.+)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('Expected key=value.');
  return { ...before, [match[1]!]: match[2]! };
}

/** Collects `--dotenv FILE`, in order. */
const collectFiles = (file: string, before: readonly string[]): string[] => [...before, file];
