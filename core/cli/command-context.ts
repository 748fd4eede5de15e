import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Caller } from '../api/engine-api.ts';
import type { Engine } from '../engine.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import type { ConfigFlags } from '../home/config/engine-config.ts';
import { resolveHome, folderVariables, homePaths, type HomePaths } from '../home/config/home.ts';
import type { HostKind } from '../model/run.ts';
import { readTraceContext } from '../model/trace-context.ts';
import type { SupervisorProcess } from '../process/supervisor/supervisor-link.ts';
import type { Watchdog } from '../process/watchdog/watchdog.ts';
import { systemClock } from '../base/system-clock.ts';
import { AppError } from '../base/errors.ts';
import { commandLogger, hostLogger, type LogFormat } from './log-output.ts';
import type { Terminal } from './terminal.ts';
import { failPoint } from '../base/fail-point.ts';
import type { EngineClient } from './host/engine-client.ts';

/** Output format: for people, or one JSON object. */
export type OutputFormat = 'text' | 'json';

/** Options of a command with output. */
export interface ResultFormat {
  readonly format: OutputFormat;
}

/** Context that every command gets from its process. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; base of relative arguments. */
  readonly cwd: string;
  /** Absolute path of the home. */
  readonly home: string;
  /** `--config`, as typed. */
  readonly configFile?: string | undefined;
  readonly version: string;
  /** Directory of the built web UI, which may be missing. */
  readonly webRoot: string;
  /** Directory of the JSON Schemas for editors. */
  readonly schemasDir: string;
  readonly caller: Caller;
  /** Server of `--server`; absent for the local home. */
  readonly server?: ServerTarget | undefined;
  /**
   * Opens the engine on the home and loads it on first use. The caller closes it. Default kind: command.
   * @param flags configuration keys from the command line
   */
  openHost(kind?: HostKind, flags?: ConfigFlags): Promise<Engine>;
  /** Opens the API: the engine on the home, or the server. The caller closes it. */
  openApi(): Promise<EngineClient>;
  /** Starts a separate process that recovers orphaned runs. It outlives this process. */
  startRecovery(): Promise<void>;
  /** Stores the compiled functions called so far for the next start; otherwise this happens at exit. */
  recordHot(): void;
  /** Starts a watchdog of the event loop, which the next engine uses. */
  startWatchdog(): Promise<Watchdog>;
  /** Calls back for each SIGINT, SIGTERM or SIGHUP until disposed, instead of ending the process. */
  onSignal(listener: (signal: StopSignal) => void, mode?: SignalMode): () => void;
}

/**
 * When the watchdog ends a process that has not exited in time after a signal: only while the event loop is blocked
 * (default), or always.
 */
export type SignalMode = 'whileBlocked' | 'always';

/** A server URL with its token. */
export interface ServerTarget {
  readonly url: string;
  readonly token?: string | undefined;
}

/** Signals that ask the process to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Options of every command. */
export interface GlobalOptions {
  readonly engineHome?: string;
  /** A configuration file instead of the home's. */
  readonly config?: string;
  /** URL of a server to use instead of a local home. */
  readonly server?: string;
  /** API token of the server. */
  readonly token?: string;
}

/** Dependencies of the commands. */
export interface ProgramHooks {
  readonly terminal: Terminal;
  /** Arguments after `--`. */
  readonly words: readonly string[];
  contextFor(globals: GlobalOptions): CommandContext;
  setExitCode(code: number): void;
}

/** Loads the implementation of a command. */
type Load<Input> = () => Promise<(context: CommandContext, input: Input) => Promise<number>>;

/** Wraps a command: creates its context and stores its exit code. */
export const runCommand =
  <Input>(hooks: ProgramHooks, load: Load<Input>) =>
  async (input: Input, command: Command): Promise<void> => {
    const run = await load();
    hooks.setExitCode(await run(hooks.contextFor(command.optsWithGlobals()), input));
  };

/** Wraps a command that needs the files of a home and does not support `--server`. */
export const runLocalCommand =
  <Input>(hooks: ProgramHooks, load: Load<Input>) =>
  async (input: Input, command: Command): Promise<void> => {
    const context = hooks.contextFor(command.optsWithGlobals());
    if (context.server !== undefined) throw serverOptionError(command, context.server.url);
    const run = await load();
    hooks.setExitCode(await run(context, input));
  };

function serverOptionError(command: Command, url: string): AppError {
  const names = [command.name()];
  for (let above = command.parent; above?.parent; above = above.parent) names.unshift(above.name());
  return new AppError(
    'bad_request',
    `"engine ${names.join(' ')}" needs direct access to the home and cannot run through the server ${url}.`,
    {
      details: {
        hint: 'Run the command on the machine that has the home. If ENGINE_SERVER is set, use --engine-home DIR to select a local home.',
      },
    },
  );
}

/**
 * Opens the engine or server for one command and always closes it. Runs of this process are stopped first. Orphaned
 * runs are recovered by a separate process, because this one may end earlier.
 */
export async function withHost<Result>(
  context: CommandContext,
  use: (host: EngineClient) => Promise<Result>,
): Promise<Result> {
  const host = await context.openApi();
  try {
    if (await host.hasOrphans()) {
      failPoint('recovery.before_start');
      await context.startRecovery();
    }
    return await use(host);
  } finally {
    await host.close();
  }
}

/** Directories next to the program, which may not exist. */
export interface Installation {
  readonly version: string;
  /** Built web UI. */
  readonly webRoot: string;
  /** Sample workflows for a new home. */
  readonly samplesDir: string;
  /** JSON Schemas for editors. */
  readonly schemasDir: string;
  /** See `EngineOptions`. */
  readonly supervisor?: SupervisorProcess | undefined;
  /** See `CommandContext`. */
  readonly recordHot: () => void;
}

const stopSignals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Delay in milliseconds, so that short commands start no watchdog. */
const watchdogDelayMs = 2000;

/**
 * Returns a function that creates the context of a command. It throws `bad_request` for conflicting global options.
 * @param cleanups collects functions that undo changes to this process: signal handlers and the watchdog
 */
export const contextCreator =
  (terminal: Terminal, installation: Installation, cleanups: Dispose[]) =>
  (globals: GlobalOptions): CommandContext => {
    const { version, webRoot, schemasDir, recordHot } = installation;
    const home = resolveHome(process.env, globals.engineHome);
    const server = chooseServer(globals, process.env);
    let watchdog: Watchdog | undefined;
    const startWatchdog = async (): Promise<Watchdog> => {
      const { Watchdog: Started } = await import('../process/watchdog/watchdog.ts');
      if (watchdog === undefined) {
        const started = new Started(systemClock);
        watchdog = started;
        cleanups.push(() => started.close());
      }
      return watchdog;
    };
    return {
      terminal,
      clock: systemClock,
      environment: process.env,
      cwd: process.cwd(),
      home,
      configFile: globals.config,
      version,
      webRoot,
      schemasDir,
      recordHot,
      caller: toCaller(process.env),
      server,
      async openHost(kind = 'cli', flags = {}) {
        if (kind !== 'cli') await startWatchdog();
        return openHome({ home, terminal, installation, globals, watchdog, kind, configFlags: flags });
      },
      startWatchdog,
      async openApi() {
        if (server === undefined) {
          const { localEngine } = await import('./host/local-engine.ts');
          return localEngine(await this.openHost(), this);
        }
        const { connectToServer } = await import('./host/connect-to-server.ts');
        return connectToServer(server, this);
      },
      startRecovery: () => startRecovery(home, globals),
      onSignal(listener, mode = 'whileBlocked') {
        for (const signal of stopSignals) process.on(signal, listener);
        const dispose = (): void => {
          for (const signal of stopSignals) process.off(signal, listener);
        };
        cleanups.push(dispose);
        if (watchdog === undefined) cleanups.push(watchLater(startWatchdog, mode));
        else watchdog.handleSignals(mode);
        return dispose;
      },
    };
  };

/** Starts a watchdog for a long-running command. The command continues without one if file descriptors run out. */
function watchLater(start: () => Promise<Watchdog>, mode: SignalMode): Dispose {
  const stop = systemClock.every(watchdogDelayMs, () => {
    void start().then(
      (watchdog) => {
        stop();
        watchdog.handleSignals(mode);
      },
      () => {},
    );
  });
  return stop;
}

const toCaller = (environment: NodeJS.ProcessEnv): Caller => ({
  via: 'cli',
  name: environment['USER'] ?? 'cli',
  trace: readTraceContext({
    traceparent: environment['TRACEPARENT'],
    tracestate: environment['TRACESTATE'],
  }),
});

interface HomeOptions {
  readonly home: string;
  readonly terminal: Terminal;
  readonly installation: Installation;
  readonly globals: GlobalOptions;
  readonly watchdog: Watchdog | undefined;
  readonly kind: HostKind;
  readonly configFlags: ConfigFlags;
}

async function openHome(options: HomeOptions): Promise<Engine> {
  const { home, terminal, installation, globals, watchdog, kind, configFlags } = options;
  const { openEngine } = await import('../engine.ts');
  const { version, samplesDir, supervisor } = installation;
  const lines = { terminal, clock: systemClock };
  let format: LogFormat = 'text';
  return await openEngine({
    home,
    clock: systemClock,
    logger: kind === 'cli' ? commandLogger(lines) : hostLogger(lines, () => format),
    onConfig: ({ logFormat }) => {
      format = logFormat;
      watchdog?.configure({ json: logFormat === 'json' });
    },
    watchdog,
    version,
    kind,
    configFlags,
    supervisor,
    ...(existsSync(samplesDir) ? { samplesDir } : {}),
    ...(globals.config === undefined ? {} : { configFile: globals.config }),
  });
}

async function startRecovery(home: string, { config }: GlobalOptions): Promise<void> {
  const { startDetached } = await import('../process/detached.ts');
  const args = ['recover', '--quiet', '--engine-home', home];
  const more = config === undefined ? [] : ['--config', path.resolve(config)];
  const { ENGINE_FAILPOINT: _, ...environment } = process.env;
  startDetached([process.execPath, process.argv[1]!, ...args, ...more], environment);
}

type ConfigContext = Pick<CommandContext, 'home' | 'environment' | 'configFile' | 'cwd'>;

/**
 * Returns the paths of the home, for commands that do not open the engine. The configuration parser is loaded only if
 * there is a configuration. Rejects with `invalid_config`.
 */
export async function findHomePaths({
  home,
  environment,
  configFile,
  cwd,
}: ConfigContext): Promise<HomePaths> {
  const isSet = (variable: string): boolean => (environment[variable] ?? '') !== '';
  const isSaid =
    configFile !== undefined ||
    [
      'ENGINE_CONFIG',
      'ENGINE_DATABASE_URL',
      'ENGINE_OBJECT_STORE_URL',
      ...Object.values(folderVariables).flat(),
    ].some(isSet) ||
    existsSync(path.join(home, 'config.yaml'));
  if (!isSaid) return homePaths(home);
  const { loadEngineConfig } = await import('../home/config/engine-config.ts');
  return loadEngineConfig({ home, environment, file: configFile, cwd }).paths;
}

/**
 * Returns the paths of the home for commands that change it, after completing an interrupted restore. Rejects with
 * `invalid_config`, `home_unusable` and, during a restore, `still_running`.
 */
export async function prepareHomePaths(context: ConfigContext): Promise<HomePaths> {
  const { rollbackRestore } = await import('../home/config/interrupted-restore.ts');
  rollbackRestore(context.home);
  return findHomePaths(context);
}

/**
 * Returns the server of `--server` or `ENGINE_SERVER`; none if `--engine-home` is set. Throws `bad_request` for
 * conflicting flags.
 */
export function chooseServer(
  { server, token, engineHome }: GlobalOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ServerTarget | undefined {
  if (server !== undefined && engineHome !== undefined) {
    throw new AppError(
      'bad_request',
      'Options --server and --engine-home cannot be used together. A server has its own home.',
    );
  }
  const url = server ?? (engineHome === undefined ? environment['ENGINE_SERVER'] : undefined);
  if (url !== undefined && url !== '') return { url, token: token ?? readToken(environment) };
  if (token === undefined) return undefined;
  throw new AppError('bad_request', 'Option --token requires a server. Add --server URL, or remove --token.');
}

const readToken = (environment: Readonly<Record<string, string | undefined>>): string | undefined =>
  environment['ENGINE_SERVER_TOKEN'] || undefined;

/** Writes the JSON object of `--format json`: on one line, or indented on a terminal. */
export async function printJson(context: CommandContext, value: object): Promise<void> {
  const { stdout } = context.terminal;
  await stdout.write(`${JSON.stringify(value, null, stdout.isTty ? 2 : undefined)}\n`);
}

export async function printLines(context: CommandContext, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await context.terminal.stdout.write(`${lines.join('\n')}\n`);
}
