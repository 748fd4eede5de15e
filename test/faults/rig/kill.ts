import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultHome, Host } from './fault-home.ts';
import { isHalted } from './processes.ts';

/**
 * The seeds of a test that chance drives: `FAULT_SEEDS=40` takes the first forty, `FAULT_SEED=17` that one.
 * @param usual those of every run, few since each takes seconds
 */
export function chooseSeeds(usual: readonly number[]): readonly number[] {
  const { FAULT_SEED: only, FAULT_SEEDS: count } = process.env;
  if (only !== undefined) return [Number(only)];
  return count === undefined ? usual : Array.from({ length: Number(count) }, (_, index) => index + 1);
}

/** Numbers that a seed decides. */
export interface Random {
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Mulberry32: small, and good enough to choose what happens next. */
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

/** Waits until something holds; in vain it rejects, so that what the test has started is ended. */
export async function waitFor(what: string, holds: () => boolean, timeoutMs = 45_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(20);
  }
}

/** When a host is killed: at a moment of core/base/fail-points.ts, or some time after it. */
export interface Moment {
  readonly point: string;
  /** Milliseconds; 0 is the moment itself, at which nothing more happens. */
  readonly afterMs: number;
}

/** `FAULT_SEEDS=40 npm test -- test/faults` kills at each moment, and at 39 random times soon after it. */
const seeds = Number(process.env['FAULT_SEEDS'] ?? 1);

/** The cases of a table of moments, each after its name. The first seed is the moment itself. */
export function casesOf<Point extends string>(points: readonly Point[]): [string, Moment, Point][] {
  return points.flatMap((point) =>
    Array.from({ length: seeds }, (_, seed): [string, Moment, Point] => {
      const afterMs = seed === 0 ? 0 : chooseDelay(seed);
      return [seed === 0 ? point : `${point} + ${afterMs} ms (seed ${seed})`, { point, afterMs }, point];
    }),
  );
}

/** Mostly while the host is still at what the moment begins, at times long after. */
function chooseDelay(seed: number): number {
  const random = createRandom(seed);
  return random.between(1, 2) === 1 ? random.between(1, 15) : random.between(16, 250);
}

/** Words that start a workflow of the home in its working directory. */
export const begin = (name: string): string[] => ['start', name, '--quiet', '--default-working-dir', '.'];

/**
 * Runs a command that must be killed at the moment. Some time after its moment it may have come to its end by itself.
 * @param said what it says to people before that
 */
export async function killAt(
  home: FaultHome,
  moment: Moment | string,
  words: readonly string[],
  said = /^$/,
): Promise<void> {
  const { point, afterMs } = readMoment(moment);
  const host = home.start(words, { ENGINE_FAILPOINT: wishFor(moment) });
  killAfter(host, moment);
  const { signal, stderr } = await host.ended;
  expect(stderr).toMatch(said);
  if (afterMs === 0 || signal !== null) expect({ point, signal }).toEqual({ point, signal: 'SIGKILL' });
}

const readMoment = (moment: Moment | string): Moment =>
  typeof moment === 'string' ? { point: moment, afterMs: 0 } : moment;

/** What `ENGINE_FAILPOINT` is for a moment: some time after it is counted from a halt there. */
const wishFor = (moment: Moment | string): string => {
  const { point, afterMs } = readMoment(moment);
  return `${point}:${afterMs === 0 ? 'kill' : 'stop'}`;
};

/** Waits for the halt at the moment, lets the host go on and kills it when its time is over. */
function killAfter(host: Host, moment: Moment | string): void {
  const { afterMs } = readMoment(moment);
  if (afterMs === 0) return;
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  void waitFor('the moment', () => isOver || isHalted(host.pid)).then(
    async () => {
      if (isOver) return;
      host.kill('SIGCONT');
      await pause(afterMs);
      host.kill('SIGKILL');
    },
    () => host.kill('SIGTERM'),
  );
}

/** Recovers what there is, and tells how the runs ended. */
export async function recover(home: FaultHome): Promise<unknown> {
  const { code, stdout, stderr } = await home.run(['recover', '--format', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return (JSON.parse(stdout) as { dagRuns: unknown }).dagRuns;
}

/** Starts a host that lives long and is to be killed at the moment; resolves as `serve` does. */
export function serveUntil(home: FaultHome, moment: Moment, words: readonly string[]): Promise<Host> {
  return whenReady(home.start(words, { ENGINE_FAILPOINT: wishFor(moment) }), moment);
}

/** Starts a host that lives long; resolves when it is ready, or has ended before that. */
export function serve(home: FaultHome, words: readonly string[], failPoint?: string): Promise<Host> {
  return whenReady(home.start(words, failPoint === undefined ? {} : { ENGINE_FAILPOINT: failPoint }));
}

async function whenReady(host: Host, moment?: Moment): Promise<Host> {
  if (moment !== undefined) killAfter(host, moment);
  let isOver = false;
  void host.ended.then(() => (isOver = true));
  await waitFor('a host', () => isOver || host.stdout().includes('\n'));
  return host;
}

/** Asks a host to end, which it must do in order. */
export async function close(host: Host): Promise<void> {
  host.kill('SIGTERM');
  expect(await host.ended).toMatchObject({ code: 0 });
}
