import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CommanderError } from 'commander';
import { AppError, toAppError } from '../base/errors.ts';
import { startDetached } from '../process/detached.ts';
import type { SupervisorProcess } from '../process/supervisor/start-supervisor.ts';
import { resolveHome } from '../config/home.ts';
import { readTraceContext } from '../model/trace-context.ts';
import { systemClock } from '../system-clock.ts';
import type { CommandContext, StopSignal } from './command-context.ts';
import type { GlobalOptions } from './program/hooks.ts';
import { buildProgram } from './program/program.ts';
import { tellRefusal } from './refusal.ts';
import { commandLogger } from './report/log-lines.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What lies beside the program; the folders need not exist. */
export interface Installation {
  readonly version: string;
  /** Built web UI. */
  readonly webRoot: string;
  /** Workflows that a new home receives. */
  readonly samplesDir: string;
  /** JSON Schemas for editors. */
  readonly schemasDir: string;
  /** See `EngineOptions`. */
  readonly supervisor?: SupervisorProcess | undefined;
}

const stopSignals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs one `engine` command from its arguments and ends the process with its exit code. */
export async function runCommandLine(argv: readonly string[], installation: Installation): Promise<void> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const terminal = openTerminal(process.env, options.includes('--no-color'));
  // A command that waits for another process's run has nothing else that keeps this process alive.
  const stayAlive = systemClock.after(Number.MAX_SAFE_INTEGER, () => {});
  const code = await execute(argv, options, terminal, installation);
  stayAlive();
  await terminal.stdout.flush();
  await terminal.stderr.flush();
  // What an engine leaves behind (a watcher, an idle connection) must not keep a finished command alive.
  process.exit(code);
}

async function execute(
  argv: readonly string[],
  options: readonly string[],
  terminal: Terminal,
  installation: Installation,
): Promise<number> {
  try {
    const failPoints = process.env['ENGINE_FAILPOINT'];
    if (failPoints) (await import('../process/arm-fail-points.ts')).armFailPoints(failPoints);
    let exitCode = 0;
    const program = buildProgram({
      terminal,
      words: argv.slice(options.length + 1),
      contextFor: (globals) => createContext(terminal, installation, globals),
      setExitCode: (code) => (exitCode = code),
    });
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (isCommanderEnd(thrown)) {
      if (thrown.exitCode === 0) return 0;
      return tellRefusal(terminal, toUsageError(thrown), { json: wantsJson(options), debug: false });
    }
    return tellRefusal(terminal, toAppError(thrown), {
      json: wantsJson(options),
      debug: Boolean(process.env['ENGINE_DEBUG']),
    });
  }
}

function createContext(
  terminal: Terminal,
  installation: Installation,
  globals: GlobalOptions,
): CommandContext {
  const { version, webRoot, samplesDir, schemasDir, supervisor } = installation;
  const home = resolveHome(process.env, globals.engineHome);
  return {
    terminal,
    clock: systemClock,
    environment: process.env,
    cwd: process.cwd(),
    home,
    version,
    webRoot,
    schemasDir,
    caller: {
      via: 'cli',
      name: process.env['USER'] ?? 'cli',
      trace: readTraceContext({
        traceparent: process.env['TRACEPARENT'],
        tracestate: process.env['TRACESTATE'],
      }),
    },
    async openHost(kind = 'cli') {
      const { openEngine } = await import('../engine.ts');
      return openEngine({
        home,
        clock: systemClock,
        logger: commandLogger({ terminal, clock: systemClock }),
        version,
        kind,
        supervisor,
        ...(existsSync(samplesDir) ? { samplesDir } : {}),
        ...(globals.config === undefined ? {} : { configFile: globals.config }),
      });
    },
    startRecovery() {
      const words = ['recover', '--quiet', '--engine-home', home];
      const more = globals.config === undefined ? [] : ['--config', path.resolve(globals.config)];
      const { ENGINE_FAILPOINT: _, ...environment } = process.env;
      startDetached([process.execPath, process.argv[1]!, ...words, ...more], environment);
    },
    onSignal(listener) {
      for (const signal of stopSignals) process.on(signal, listener);
      return () => {
        for (const signal of stopSignals) process.off(signal, listener);
      };
    },
  };
}

/** Commander throws to end: code 0 after help, else with a sentence about what it did not understand. */
const isCommanderEnd = (thrown: unknown): thrown is CommanderError =>
  thrown instanceof Error &&
  'code' in thrown &&
  String(thrown.code).startsWith('commander.') &&
  'exitCode' in thrown;

/** `error: unknown option '--x'` and, on a second line, `(Did you mean --y?)`, as a refusal with a hint. */
function toUsageError(error: CommanderError): AppError {
  const [first = '', second] = error.message.split('\n');
  const hint = second === undefined ? 'engine --help shows the usage' : second.replace(/^\(D(.*)\)$/, 'd$1');
  return new AppError('bad_request', first.replace(/^error: /, ''), { details: { hint } });
}

const wantsJson = (options: readonly string[]): boolean =>
  options.includes('--format=json') || options[options.indexOf('--format') + 1] === 'json';
