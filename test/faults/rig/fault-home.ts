import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Timings } from '../../../core/base/timings.ts';
import { homePaths } from '../../../core/home/config/home.ts';
import type { Database } from '../../../core/store/database/database.ts';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { openServerDatabase, openStore, type Store } from '../../../core/store/open-store.ts';
import { findHeadlessBrowser } from '../../../scripts/setup/browser.mjs';
import {
  engineArguments,
  engineEnvironment,
  saveDag,
  type EngineOutcome,
  type TestHome,
} from '../../harness/home-and-command.ts';
import { placeEmptyDatabase } from '../../harness/empty-database.ts';
import { waitFor, findMarked, isLiving, signalMarked } from './kill.ts';
import { withServerDatabase } from './server-database.ts';

type Environment = Record<string, string | undefined>;

/** A process of the built command in a fault home. */
export interface Host {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<EngineOutcome>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

/** Number of numbered lines printed per effect. */
export const effectLines = 60;

/** A home whose activity is recorded: its processes are marked, and its steps record each execution. */
export class FaultTestHome implements TestHome {
  readonly home: string;
  readonly cwd: string;
  /** Where the steps record executions: one line each, with the directory of the attempt. */
  readonly effects: string;
  /** Shell code for a step: records its execution, and prints numbered lines into its log. */
  readonly effect: string;
  /** In the environment of each process of this home. */
  readonly mark: string;
  readonly #hosts: Host[] = [];
  readonly #databaseUrl: string | undefined;
  #server: Database | undefined;
  #timings: Partial<Timings> = {};

  /**
   * @param folder an existing folder that contains everything of this home
   * @param databaseUrl of a server. Default: a database file
   */
  constructor(folder: string, databaseUrl?: string) {
    this.#databaseUrl = databaseUrl;
    this.home = join(folder, 'home');
    this.cwd = join(folder, 'work');
    this.mark = join(folder, 'bin');
    this.effects = join(folder, 'effects');
    const program = join(this.mark, 'effect');
    for (const path of [join(this.home, 'dags'), this.cwd, this.mark]) mkdirSync(path, { recursive: true });
    if (databaseUrl === undefined) placeEmptyDatabase(this.home);
    writeFileSync(this.effects, '');
    writeFileSync(program, effectProgram(this.effects));
    chmodSync(program, 0o755);
    this.effect = program;
  }

  /** Writes a workflow; `EFFECT` in it is replaced with the shell code that records its execution. */
  save(name: string, yaml: string): string {
    return saveDag(this, name, yaml.replaceAll('EFFECT', this.effect));
  }

  configure(yaml: string): void {
    writeFileSync(join(this.home, 'config.yaml'), yaml);
  }

  /** Shortens timings of processes started from now on. */
  shorten(changes: Partial<Timings>): void {
    this.#timings = changes;
  }

  environment(more: Environment = {}): NodeJS.ProcessEnv {
    const PATH = [process.env['PATH'], this.mark].join(delimiter);
    const times = Object.entries(this.#timings).map(([name, value]) => `${name}=${value}`);
    return engineEnvironment(this, {
      PATH,
      ENGINE_DATABASE_URL: this.#databaseUrl,
      ...(times.length > 0 && { ENGINE_FAILPOINT: 'none', ENGINE_TEST_TIMINGS: times.join(',') }),
      ...more,
    });
  }

  /**
   * Starts an engine command.
   * @param before arguments of a program that starts it differently, such as with other limits
   */
  start(words: readonly string[], more: Environment = {}, before: readonly string[] = []): Host {
    return this.startProgram([...before, process.execPath, ...engineArguments(words)], more);
  }

  /** Starts any program that is a host of this home. */
  startProgram([program = '', ...words]: readonly string[], more: Environment = {}): Host {
    const child = spawn(program, words, {
      cwd: this.cwd,
      env: this.environment(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<EngineOutcome>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    const host: Host = {
      pid: child.pid!,
      child,
      ended,
      stdout: () => stdout,
      stderr: () => stderr,
      kill: (signal) => child.kill(signal),
    };
    this.#hosts.push(host);
    return host;
  }

  /** Runs an engine command to its end. */
  run(words: readonly string[], more?: Environment, before?: readonly string[]): Promise<EngineOutcome> {
    return this.start(words, more, before).ended;
  }

  /** The executed attempts, in order, by their directory below the home. */
  ran(): string[] {
    const lines = readFileSync(this.effects, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => line.replace(`${this.home}/`, ''));
  }

  /** Output of every host for people. */
  account(): string {
    return this.#hosts.map(({ pid, stderr }) => `process ${pid}:\n${stderr()}`).join('\n');
  }

  /** Number of executions of each step. */
  ranBySteps(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const dir of this.ran()) {
      const name = getStep(dir);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** Content of the database; empty before it exists. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    if (!this.isOnFile) return await this.open().perform(() => this.open().all<Row>(sql));
    if (!existsSync(this.database)) return [];
    const database = new SqliteDatabase(this.database);
    try {
      return database.all<Row>(sql);
    } finally {
      database.close();
    }
  }

  /** Its database. One on a server is closed with the home. */
  open(): Database {
    if (this.#databaseUrl === undefined) return new SqliteDatabase(this.database);
    return (this.#server ??= openServerDatabase(this.#databaseUrl));
  }

  /** Opens its store, which the caller closes. */
  openStore(): Store {
    return openStore(this.#databaseUrl === undefined ? { file: this.database } : { url: this.#databaseUrl });
  }

  get isOnFile(): boolean {
    return this.#databaseUrl === undefined;
  }

  get database(): string {
    return homePaths(this.home).database;
  }

  /** Its living processes, including hosts. */
  processes(): ReturnType<typeof findMarked> {
    return findMarked(`${delimiter}${this.mark}`);
  }

  /** Resolves when no process is left, or the time is over. */
  async quiet(timeoutMs = 15_000): Promise<void> {
    // To look for new ones reads the environment of every process of the machine.
    let known = this.processes();
    const hasEnded = (): boolean => {
      if (known.some(({ pid }) => isLiving(pid))) return false;
      known = this.processes();
      return known.length === 0;
    };
    await waitFor('the last processes', hasEnded, timeoutMs).catch(() => {});
  }

  file(name: string): string {
    return join(this.cwd, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  releaseSteps(name = 'go'): void {
    writeFileSync(this.file(name), '');
  }

  /** Kills what is left and removes everything. */
  async dispose(): Promise<void> {
    this.#server?.close();
    this.#server = undefined;
    for (let left = this.processes(); left.length > 0; left = this.processes()) {
      for (const each of left) signalMarked(each, 'SIGKILL');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(this.#hosts.map(({ ended }) => ended));
  }
}

/**
 * Runs `body` on a new home; it is always removed completely. With `FAULT_DATABASE=postgres`, its database is on a server.
 * @param databaseUrl of a server for its database; the server belongs to the caller
 */
export async function withFaultTestHome(
  body: (home: FaultTestHome) => Promise<void>,
  databaseUrl?: string,
): Promise<void> {
  if (databaseUrl === undefined && process.env['FAULT_DATABASE'] === 'postgres')
    return withServerDatabase((url) => withFaultTestHome(body, url));
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-fault-'));
  const home = new FaultTestHome(folder, databaseUrl);
  try {
    await body(home);
  } catch (error) {
    // The output of the hosts is deleted with the home.
    console.error(home.account());
    throw error;
  } finally {
    await home.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `logs/chain/2026…_id/first.1` belongs to `first`; an item belongs to its step. */
export function getStep(dir: string): string {
  const [attempt = ''] = dir.split('/').slice(3);
  return attempt.replace(/\.\d+$/, '');
}

const effectProgram = (effects: string): string => `#!/bin/sh
echo "$ENGINE_ATTEMPT_DIR" >> '${effects}'
i=0
while [ $i -lt ${effectLines} ]; do i=$((i+1)); echo "line $i"; done
`;

const root = join(import.meta.dirname, '../../..');

/** The browser that renders the app's windows; without one this machine has no desktop host. */
export const browser = await findHeadlessBrowser();

/** Starts the built desktop app on the stand-in for Electron; it soon serves queues and schedules. */
export const startDesktop = (home: FaultTestHome): Host =>
  home.startProgram([join(root, 'test/electron-standin/dist/electron'), '--no-sandbox', root], {
    STANDIN_NODE: process.execPath,
    CHROMIUM_PATH: browser,
    XDG_CONFIG_HOME: home.file('config'),
  });
