import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../base/errors.ts';
import type { ExecInput } from '../commands/exec.ts';
import { commandNotes } from '../help-texts.ts';
import { runCommand, type ProgramHooks, formatOption, nameOption, newRunIdOption } from '../run-command.ts';

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
