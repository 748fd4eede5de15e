import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  engineArguments,
  engineEnvironment,
  saveDag,
  type EngineOutcome,
  type TestHome,
} from '../../harness/engine-command.ts';
import type { Timings } from '../../../core/base/timings.ts';
import { homePaths } from '../../../core/config/home.ts';
import type { Database } from '../../../core/store/database/database.ts';
import { SqliteDatabase } from '../../../core/store/database/sqlite-database.ts';
import { openServerDatabase } from '../../../core/store/open-store.ts';
import { waitFor } from './kill.ts';
import { findMarked, signalMarked } from './processes.ts';

type Environment = Record<string, string | undefined>;

/** A process of the built command on a fault home. */
export interface Host {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<EngineOutcome>;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

/** How many numbered lines each effect prints. */
export const effectLines = 60;

/**
 * A home with everything that happens on it: its processes carry its mark, and its steps write down each time they
 * run.
 */
export class FaultHome implements TestHome {
  readonly home: string;
  readonly cwd: string;
  /** Where the steps write; one line for each time one is run: the directory of its attempt. */
  readonly effects: string;
  /** Shell text for a step: writes down that it runs, and prints numbered lines into its log. */
  readonly effect: string;
  /** In the environment of each process of this home. */
  readonly mark: string;
  readonly #hosts: Host[] = [];
  readonly #databaseUrl: string | undefined;
  #server: Database | undefined;
  #timings: Partial<Timings> = {};

  /**
   * @param folder of its own, which exists; all that belongs to this home is in it
   * @param databaseUrl of a server; its database is a file when absent
   */
  constructor(folder: string, databaseUrl?: string) {
    this.#databaseUrl = databaseUrl;
    this.home = join(folder, 'home');
    this.cwd = join(folder, 'work');
    this.mark = join(folder, 'bin');
    this.effects = join(folder, 'effects');
    const program = join(this.mark, 'effect');
    for (const path of [join(this.home, 'dags'), this.cwd, this.mark]) mkdirSync(path, { recursive: true });
    writeFileSync(this.effects, '');
    writeFileSync(program, effectProgram(this.effects));
    chmodSync(program, 0o755);
    this.effect = program;
  }

  /** Writes a workflow; `EFFECT` in it is the shell text that leaves a trace. */
  save(name: string, yaml: string): string {
    return saveDag(this, name, yaml.replaceAll('EFFECT', this.effect));
  }

  configure(yaml: string): void {
    writeFileSync(join(this.home, 'config.yaml'), yaml);
  }

  /** Has what is started from now on wait for shorter times. */
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
   * Starts a command of the engine.
   * @param before words of a program that starts it in another way, such as with other limits
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

  /** Runs a command of the engine to its end. */
  run(words: readonly string[], more?: Environment, before?: readonly string[]): Promise<EngineOutcome> {
    return this.start(words, more, before).ended;
  }

  /** The attempts that have run, in their order, by the directory below the home. */
  ran(): string[] {
    const lines = readFileSync(this.effects, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => line.replace(`${this.home}/`, ''));
  }

  /** What every host has said to people. */
  account(): string {
    return this.#hosts.map(({ pid, stderr }) => `process ${pid}:\n${stderr()}`).join('\n');
  }

  /** How often each step has run. */
  ranBySteps(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const dir of this.ran()) {
      const name = stepOf(dir);
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** What the database says; none when it is not there yet. */
  query<Row extends object>(sql: string): Row[] {
    if (this.#databaseUrl !== undefined)
      return (this.#server ??= openServerDatabase(this.#databaseUrl)).all<Row>(sql);
    if (!existsSync(this.database)) return [];
    const database = new SqliteDatabase(this.database);
    try {
      return database.all<Row>(sql);
    } finally {
      database.close();
    }
  }

  get database(): string {
    return homePaths(this.home).database;
  }

  /** Its living processes, the hosts included. */
  processes(): ReturnType<typeof findMarked> {
    return findMarked(`${delimiter}${this.mark}`);
  }

  /** Resolves when no process is left, or the time is over. */
  async quiet(timeoutMs = 15_000): Promise<void> {
    await waitFor('the last processes', () => this.processes().length === 0, timeoutMs).catch(() => {});
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

  /** Ends what is left and removes everything. */
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
 * Runs `body` on a new home; whatever happens, nothing of it is left behind.
 * @param databaseUrl of a server whose database it has; the server is the caller's
 */
export async function withFaultHome(
  body: (home: FaultHome) => Promise<void>,
  databaseUrl?: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-fault-'));
  const home = new FaultHome(folder, databaseUrl);
  try {
    await body(home);
  } catch (error) {
    // What the hosts have said is gone with the home.
    console.error(home.account());
    throw error;
  } finally {
    await home.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `logs/chain/2026…_id/first.1` is of `first`; an item is of its step. */
export function stepOf(dir: string): string {
  const [attempt = ''] = dir.split('/').slice(3);
  return attempt.replace(/\.\d+$/, '');
}

const effectProgram = (effects: string): string => `#!/bin/sh
echo "$ENGINE_ATTEMPT_DIR" >> '${effects}'
i=0
while [ $i -lt ${effectLines} ]; do i=$((i+1)); echo "line $i"; done
`;
