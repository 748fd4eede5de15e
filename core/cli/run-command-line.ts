import type { CommanderError } from 'commander';
import type { Dispose } from '../base/clock.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { systemClock } from '../base/system-clock.ts';
import { createContext, type Installation } from './create-context.ts';
import type { GlobalOptions } from './run-command.ts';
import { buildProgram } from './program.ts';
import { printError } from './print-error.ts';
import { openTerminal, type OutputStreams, type Terminal } from './terminal.ts';

/** Runs an `engine` command from its arguments and ends the process with its exit code. */
export async function runCommandLine(argv: readonly string[], installation: Installation): Promise<void> {
  // Keeps the process alive for a command that waits for a run of another process.
  systemClock.after(Number.MAX_SAFE_INTEGER, () => {});
  const code = await runCommand(argv, installation);
  // Remaining resources of an engine (a watcher, an idle connection) must not keep a finished command alive.
  process.exit(code);
}

/**
 * Runs an `engine` command in this process, with its environment and working directory.
 * @param outlets default: stdout and stderr of this process
 * @returns its exit code, after all output is written
 */
export async function runCommand(
  argv: readonly string[],
  installation: Installation,
  outlets?: OutputStreams,
): Promise<number> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const terminal = openTerminal(process.env, options.includes('--no-color'), outlets);
  const cleanups: Dispose[] = [];
  const code = await execute(argv, options, terminal, { installation, cleanups });
  await terminal.stdout.flush();
  const unwritten = code === 0 ? await reportLostOutput(terminal) : code;
  await terminal.stderr.flush();
  for (const cleanUp of cleanups) cleanUp();
  return unwritten;
}

/** Reports lost output, which would otherwise look complete. Returns the exit code. */
async function reportLostOutput(terminal: Terminal): Promise<number> {
  const { failure } = terminal.stdout;
  if (failure === undefined) return 0;
  const error = new AppError('storage_full', `Some output could not be written: ${failure.message}`);
  return printError(terminal, error, { json: false, debug: false });
}

async function execute(
  argv: readonly string[],
  options: readonly string[],
  terminal: Terminal,
  { installation, cleanups }: { readonly installation: Installation; readonly cleanups: Dispose[] },
): Promise<number> {
  try {
    if (process.env['ENGINE_FAILPOINT'])
      (await import('../process/arm-fail-points.ts')).armFailPoints(process.env);
    let exitCode = 0;
    const hooks = {
      terminal,
      words: argv.slice(options.length + 1),
      contextFor: (globals: GlobalOptions) => createContext(terminal, installation, globals, cleanups),
      setExitCode: (code: number) => (exitCode = code),
    };
    const program = await buildProgram(hooks, argv);
    try {
      await program.parseAsync(argv, { from: 'user' });
    } catch (error) {
      if (!isCommanderEnd(error)) throw error;
      if (error.exitCode === 0) return 0;
      const { toUsageError } = await import('./usage-error.ts');
      throw toUsageError(error, program, options);
    }
    return exitCode;
  } catch (error) {
    return printError(terminal, toAppError(error), {
      json: wantsJson(options),
      debug: Boolean(process.env['ENGINE_DEBUG']),
    });
  }
}

/** Whether commander has thrown to exit: code 0 after help, otherwise with an error message. */
const isCommanderEnd = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'code' in error &&
  String(error.code).startsWith('commander.') &&
  'exitCode' in error;

const wantsJson = (options: readonly string[]): boolean =>
  options.includes('--format=json') || options[options.indexOf('--format') + 1] === 'json';
