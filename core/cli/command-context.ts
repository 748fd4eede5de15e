import type { Caller, EngineHost } from '../api/engine-host.ts';
import type { Clock } from '../base/clock.ts';
import type { ConfigFlags } from '../config/engine-config.ts';
import { failPoint } from '../base/fail-point.ts';
import type { HostKind } from '../model/host.ts';
import type { Watchdog } from '../process/watchdog/watchdog.ts';
import type { HostApi } from './host/host-api.ts';
import type { Terminal } from './terminal.ts';

/** How results are written: for people, or as one JSON object. */
export type OutputFormat = 'text' | 'json';

/** What is asked of a command whose results are shown. */
export interface Shown {
  readonly format: OutputFormat;
}

/** What every command gets from the process it runs in. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; relative arguments count from it. */
  readonly cwd: string;
  /** Absolute path of the home the command works on. */
  readonly home: string;
  /** `--config`, as it was typed. */
  readonly configFile?: string | undefined;
  readonly version: string;
  /** Folder of the built web UI, present or not. */
  readonly webRoot: string;
  /** Folder of the JSON Schemas for editors. */
  readonly schemasDir: string;
  readonly caller: Caller;
  /** The server that the command works through (`--server`); absent for the home of this machine. */
  readonly server?: ServerTarget | undefined;
  /**
   * Opens the engine on the home; it is loaded only then. The caller closes it. For a command unless said otherwise.
   * @param flags what the command line says of keys of the configuration
   */
  openHost(kind?: HostKind, flags?: ConfigFlags): Promise<EngineHost>;
  /** Opens what carries out operations: the engine on the home, or the server. The caller closes it. */
  openApi(): Promise<HostApi>;
  /** Starts a process that recovers the runs whose hosts are gone; it outlives this one. */
  startRecovery(): Promise<void>;
  /** Keeps the compiled functions that have been called, for the next start; else that is done when the process ends. */
  keepCalled(): void;
  /** Watches the event loop of this process from now on, and has the next engine use that. */
  startWatchdog(): Promise<Watchdog>;
  /** Calls back for each SIGINT, SIGTERM or SIGHUP until disposed, instead of ending the process. */
  onSignal(listener: (signal: StopSignal) => void, mode?: SignalMode): () => void;
}

/**
 * When the watchdog ends a process that has not ended in time after a signal: only while the event loop is blocked
 * (the default), or always.
 */
export type SignalMode = 'whileBlocked' | 'always';

/** A server, and what it is asked with. */
export interface ServerTarget {
  readonly url: string;
  readonly token?: string | undefined;
}

/** Signals with which a person or a system asks the process to end. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Opens the engine, or the server, for one command and closes it whatever happens; runs of this process, if any, are
 * stopped first. Runs that it finds without a host are recovered by a process of their own, since this one may end
 * before they do.
 */
export async function withHost<Result>(
  context: CommandContext,
  use: (host: HostApi) => Promise<Result>,
): Promise<Result> {
  const host = await context.openApi();
  try {
    if (host.hasOrphans()) {
      failPoint('recovery.before_start');
      await context.startRecovery();
    }
    return await use(host);
  } finally {
    await host.close();
  }
}

/** Writes the one JSON object of `--format json`: on one line, spread out where a person looks at it. */
export async function printJson(context: CommandContext, value: object): Promise<void> {
  const { stdout } = context.terminal;
  await stdout.write(`${JSON.stringify(value, null, stdout.isTty ? 2 : undefined)}\n`);
}

/** Writes lines of data to stdout. */
export async function printLines(context: CommandContext, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await context.terminal.stdout.write(`${lines.join('\n')}\n`);
}
