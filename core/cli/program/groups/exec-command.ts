import type { Command } from 'commander';
import { AppError } from '../../../base/errors.ts';
import type { ExecInput } from '../../commands/runs/exec.ts';
import { collectFiles, collectLabels, collectVariables } from '../../exec/read-variable.ts';
import { commandNotes } from '../help-texts.ts';
import { carryOut, type ProgramHooks } from '../hooks.ts';
import { formatOption, nameOption, newRunIdOption } from '../options.ts';

interface ExecOptions extends Omit<ExecInput, 'words' | 'workerLabels' | 'queue' | 'noQueue'> {
  readonly workerLabel: Readonly<Record<string, string>>;
  /** False after `--no-queue`. */
  readonly queue?: string | false;
}

/** Adds the command that runs a command without a workflow file. */
export function addExecCommand(program: Command, hooks: ProgramHooks): void {
  const exec = carryOut(hooks, async () => (await import('../../commands/runs/exec.ts')).runExec);
  program
    .command('exec')
    .description('run a command with history and logs, without a workflow file')
    .usage('[options] -- <command> [arguments...]')
    .argument('[command...]', 'after --: a program and its arguments, or one text for a shell')
    .addOption(newRunIdOption())
    .addOption(nameOption('name of the run (default: exec- and the program)'))
    .option('-E, --env <name=value>', 'a variable of the command, also several times', collectVariables, [])
    .option('--dotenv <file>', 'a file of variables, also several times', collectFiles, [])
    .option('--workdir <dir>', 'its working directory (default: the current one)')
    .option(
      '--shell <shell>',
      'run it by this shell, such as "bash -e" (default: no shell where none is needed)',
    )
    .option('--base <file>', 'base configuration instead of base.yaml of the home')
    .option('-u, --queue <name>', 'wait in this queue instead of starting now')
    .option('-n, --no-queue', 'never wait in a queue')
    .option('--singleton', 'refuse while any run of this name is active or waits', false)
    .option(
      '--worker-label <key=value>',
      'only on workers with this label, also several times',
      collectLabels,
      {},
    )
    .option('-q, --quiet', 'show only what the command writes', false)
    .addOption(formatOption())
    .addHelpText('after', commandNotes.exec)
    .action((_command: string[], { workerLabel, queue, ...options }: ExecOptions, command: Command) => {
      refuseWords(command, hooks);
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

/** Words before `--` could be meant for either side. */
function refuseWords(command: Command, { words }: ProgramHooks): void {
  const [surplus] = command.args.slice(0, command.args.length - words.length);
  if (surplus === undefined) return;
  throw new AppError('bad_request', `unexpected argument ${surplus} before --`, {
    details: { hint: `the command goes after --, as in engine exec -- ${surplus}` },
  });
}
