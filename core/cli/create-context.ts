import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Caller, EngineHost } from '../api/engine-host.ts';
import type { Dispose } from '../base/clock.ts';
import type { ConfigFlags } from '../config/engine-config.ts';
import { resolveHome } from '../config/home.ts';
import type { HostKind } from '../model/host.ts';
import { readTraceContext } from '../model/workflow/trace-context.ts';
import type { SupervisorProcess } from '../process/supervisor/start-supervisor.ts';
import type { Watchdog } from '../process/watchdog/watchdog.ts';
import { systemClock } from '../system-clock.ts';
import type { CommandContext, SignalMode, StopSignal } from './command-context.ts';
import { chooseServer } from './host/choose-server.ts';
import type { GlobalOptions } from './program/hooks.ts';
import { commandLogger, hostLogger, type LogFormat } from './report/log-lines.ts';
import type { Terminal } from './terminal.ts';

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

interface ContextDeps {
  readonly terminal: Terminal;
  readonly installation: Installation;
  /** Collects functions that undo changes to this process: signal handlers and the watchdog. */
  readonly cleanups: Dispose[];
}

/** Returns the context of a command. Throws `bad_request` for conflicting global options. */
export function createContext(
  { terminal, installation, cleanups }: ContextDeps,
  globals: GlobalOptions,
): CommandContext {
  const { version, webRoot, schemasDir, recordHot } = installation;
  const home = resolveHome(process.env, globals.engineHome);
  const server = chooseServer(globals, process.env);
  let watchdog: Watchdog | undefined;
  const startWatchdog = async (): Promise<Watchdog> => {
    const { Watchdog: Started } = await import('../process/watchdog/watchdog.ts');
    if (watchdog === undefined) {
      const started = new Started({ clock: systemClock });
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
    caller: describeCaller(process.env),
    server,
    async openHost(kind = 'cli', flags = {}) {
      if (kind !== 'cli') await startWatchdog();
      return openHome({ home, terminal, installation, globals, watchdog }, kind, flags);
    },
    startWatchdog,
    async openApi() {
      if (server === undefined) {
        const { localEngine } = await import('./host/home-host.ts');
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
}

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

const describeCaller = (environment: NodeJS.ProcessEnv): Caller => ({
  via: 'cli',
  name: environment['USER'] ?? 'cli',
  trace: readTraceContext({
    traceparent: environment['TRACEPARENT'],
    tracestate: environment['TRACESTATE'],
  }),
});

interface HomeDeps {
  readonly home: string;
  readonly terminal: Terminal;
  readonly installation: Installation;
  readonly globals: GlobalOptions;
  readonly watchdog: Watchdog | undefined;
}

async function openHome(
  { home, terminal, installation, globals, watchdog }: HomeDeps,
  kind: HostKind,
  configFlags: ConfigFlags,
): Promise<EngineHost> {
  const { openEngine } = await import('../engine.ts');
  const { version, samplesDir, supervisor } = installation;
  const lines = { terminal, clock: systemClock };
  let format: LogFormat = 'text';
  return openEngine({
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
