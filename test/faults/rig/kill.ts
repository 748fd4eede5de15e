import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultTestHome, Host } from './fault-home.ts';

/** A living process of a home under test. */
export interface MarkedProcess {
  readonly pid: number;
  /** Its arguments, joined with spaces. */
  readonly command: string;
}

/**
 * All living processes whose environment contains a text. A fault home puts its own path into `PATH`, which
 * hosts, supervisors, steps and their children inherit, so that all of them are found. Zombies are not
 * living.
 */
export function findMarked(mark: string): MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readProc(name, 'environ').includes(mark) && !isZombie(name))
    .map((name) => ({
      pid: Number(name),
      command: readProc(name, 'cmdline').replaceAll('\0', ' ').trim(),
    }));
}

/** Sends a signal to a process that may have exited. */
export function signalMarked({ pid }: Pick<MarkedProcess, 'pid'>, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited meanwhile.
  }
}

/** Whether a process is halted by SIGSTOP. */
export const isSuspended = (pid: number): boolean => /\) T /.test(readProc(String(pid), 'stat'));

const isZombie = (pid: string): boolean => /\) [ZX] /.test(readProc(pid, 'stat'));

/** Whether the process has not exited. */
export const isLiving = (pid: number): boolean => /\) [^ZX] /.test(readProc(String(pid), 'stat'));

/** Empty if the process has exited. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The seeds of a randomized test: `FAULT_SEEDS=40` takes the first forty, `FAULT_SEED=17` that one.
 * @param usual those of every run, few since each takes seconds
 */
export function chooseSeeds(usual: readonly number[]): readonly number[] {
  const { FAULT_SEED: only, FAULT_SEEDS: count } = process.env;
  if (only !== undefined) return [Number(only)];
  return count === undefined ? usual : Array.from({ length: Number(count) }, (_, index) => index + 1);
}

/** Seeded numbers. */
export interface Random {
  /** An integer, inclusive. */
  between(min: number, max: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Mulberry32: small, and good enough for random choices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { between, pick: (values) => values[between(0, values.length - 1)]! };
}

/** Waits until a condition holds; rejects on timeout, so that the test cleans up. */
export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 45_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}

/** When a host is killed: at a fault point of core/base/fail-points.ts, or some time after it. */
export interface KillPoint {
  readonly point: string;
  /** Milliseconds; 0 is the fault point itself, at which the process halts. */
  readonly afterMs: number;
}

/**
 * `FAULT_SEEDS=40 npm test -- test/faults` kills at each fault point, and at 39 random times soon after it.
 */
const seeds = Number(process.env['FAULT_SEEDS'] ?? 1);

/** Points that only repeat others: none without `FAULT_SEEDS`. */
export const repeatedPoints = <Point>(points: readonly Point[]): readonly Point[] =>
  seeds > 1 ? points : [];

/** The cases of a table of fault points, with titles. The first seed is the fault point itself. */
export function casesForPoints<Point extends string>(points: readonly Point[]): [string, KillPoint, Point][] {
  return points.flatMap((point) =>
    Array.from({ length: seeds }, (_, seed): [string, KillPoint, Point] => {
      const afterMs = seed === 0 ? 0 : chooseDelay(seed);
      return [seed === 0 ? point : `${point} + ${afterMs} ms (seed ${seed})`, { point, afterMs }, point];
    }),
  );
}

/** Mostly soon after the fault point, sometimes long after. */
function chooseDelay(seed: number): number {
  const random = createRandom(seed);
  return random.between(1, 2) === 1 ? random.between(1, 15) : random.between(16, 250);
}

/** Arguments that start a workflow of the home in its working directory. */
export const begin = (name: string): string[] => ['start', name, '--quiet', '--default-working-dir', '.'];

/**
 * Runs a command that must be killed at the fault point. Some time after it the command may have finished by
 * itself.
 * @param said its output for people before that
 */
export async function killAt(
  home: FaultTestHome,
  moment: KillPoint | string,
  words: readonly string[],
  output = /^$/,
): Promise<void> {
  const { point, afterMs } = readMoment(moment);
  const host = home.start(words, { ENGINE_FAILPOINT: wishFor(moment) });
  killAfter(host, moment);
  const { signal, stderr } = await host.ended;
  expect(stderr).toMatch(output);
  if (afterMs === 0 || signal !== null) expect({ point, signal }).toEqual({ point, signal: 'SIGKILL' });
}

const readMoment = (moment: KillPoint | string): KillPoint =>
  typeof moment === 'string' ? { point: moment, afterMs: 0 } : moment;

/** Value of `ENGINE_FAILPOINT`: a time after the fault point is counted from a halt there. */
const wishFor = (moment: KillPoint | string): string => {
  const { point, afterMs } = readMoment(moment);
  return `${point}:${afterMs === 0 ? 'kill' : 'stop'}`;
};

/** Waits for the halt at the fault point, resumes the host and kills it when its time is over. */
function killAfter(host: Host, moment: KillPoint | string): void {
  const { afterMs } = readMoment(moment);
  if (afterMs === 0) return;
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  void waitFor('the moment', () => isOver || isSuspended(host.pid)).then(
    async () => {
      if (isOver) return;
      host.kill('SIGCONT');
      await pause(afterMs);
      host.kill('SIGKILL');
    },
    () => host.kill('SIGTERM'),
  );
}

/** Recovers all runs, and returns their results. */
export async function recover(home: FaultTestHome): Promise<unknown> {
  const { code, stdout, stderr } = await home.run(['recover', '--format', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { dagRuns: unknown }).dagRuns;
}

/** Starts a long-running host that is to be killed at the fault point; resolves as `serve` does. */
export function serveUntil(home: FaultTestHome, moment: KillPoint, words: readonly string[]): Promise<Host> {
  return whenReady(home.start(words, { ENGINE_FAILPOINT: wishFor(moment) }), moment);
}

/** Starts a long-running host; resolves when it is ready, or has exited before. */
export function serve(home: FaultTestHome, words: readonly string[], failPoint?: string): Promise<Host> {
  return whenReady(home.start(words, failPoint === undefined ? {} : { ENGINE_FAILPOINT: failPoint }));
}

async function whenReady(host: Host, moment?: KillPoint): Promise<Host> {
  if (moment !== undefined) killAfter(host, moment);
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  await waitFor('a host', () => isOver || host.stdout().includes('\n'));
  return host;
}

/** Stops a host, which it must do gracefully. */
export async function close(host: Host): Promise<void> {
  host.kill('SIGTERM');
  expect(await host.ended).toMatchObject({ code: 0 });
}
