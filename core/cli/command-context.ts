import type { Caller } from '../api/engine-api.ts';
import type { Engine } from '../engine.ts';
import type { Clock } from '../base/clock.ts';
import type { ConfigFlags } from '../home/config/engine-config.ts';
import { failPoint } from '../base/fail-point.ts';
import type { HostKind } from '../model/run.ts';
import type { Watchdog } from '../process/watchdog/watchdog.ts';
import type { EngineClient } from './host/engine-client.ts';
import type { Terminal } from './terminal.ts';

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

/** Writes the JSON object of `--format json`: on one line, or indented on a terminal. */
export async function printJson(context: CommandContext, value: object): Promise<void> {
  const { stdout } = context.terminal;
  await stdout.write(`${JSON.stringify(value, null, stdout.isTty ? 2 : undefined)}\n`);
}

export async function printLines(context: CommandContext, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await context.terminal.stdout.write(`${lines.join('\n')}\n`);
}

/** A page of a list. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string | undefined;
}

/** Page size; the maximum of the API. */
const maxPageSize = 1000;

/**
 * Reads all entries of a paginated list, up to a limit.
 * @param read requests a page
 */
export async function readPages<Entry>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Entry>>,
  max = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(maxPageSize, max - all.length);
    const page = await read(cursor === undefined ? { limit } : { limit, cursor });
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && all.length < max);
  return all;
}
