import type { Clock } from '../../base/clock.ts';
import type { Pattern, PatternSource } from '../../base/text/pattern.ts';
import { DeadlineThreads, perClock } from '../deadline-threads.ts';

/** Lines to be matched with a pattern. Plain data: it is sent to a thread. */
export interface LinesRequest extends PatternSource {
  readonly lines: readonly string[];
  /** Matches to be found, at most. */
  readonly limit: number;
}

/** Steps of matching (size of the pattern × characters) done on the calling thread: at worst 100 ms. */
const maxStepsHere = 200_000;

const threadsOf = perClock(
  (clock) =>
    new DeadlineThreads<LinesRequest, number[]>({
      task: 'Matching a regular expression',
      remedy: 'Simplify the pattern, or match less text.',
      program: placeProgram(),
      clock,
      timeoutMs: 2_000,
      heapLimitMb: 256,
      size: 2,
      // Each is a step or condition that waits for its turn.
      maxWaiting: 10_000,
    }),
);

/**
 * Finds the lines that match a pattern. Where that may take long it is done in a thread, within 2 seconds.
 * @returns indexes in `lines`, at most `limit`
 * @throws DeadlineError when it takes longer
 */
export async function matchLines(
  pattern: Pattern,
  { lines, limit }: Pick<LinesRequest, 'lines' | 'limit'>,
  clock: Clock,
): Promise<number[]> {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (pattern.size * characters <= maxStepsHere) return pattern.findLines(lines, limit);
  return threadsOf(clock).run({ ...pattern.source, lines, limit });
}

/** As a source file, or as built for the folder beside the one of the engine's bundle. */
const placeProgram = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./pattern-thread.ts', import.meta.url)
    : new URL('../patterns/thread.cjs', import.meta.url);
