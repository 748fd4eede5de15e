import { createRandom } from './random.ts';

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
