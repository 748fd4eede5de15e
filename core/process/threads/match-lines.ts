import type { Clock } from '../../base/clock.ts';
import type { Pattern, PatternSource } from '../../base/pattern.ts';
import { DeadlineThreads, perClock } from './deadline-threads.ts';

/** Lines to match against a pattern. Plain data, because it is sent to a thread. */
export interface LinesRequest extends PatternSource {
  readonly lines: readonly string[];
  /** Most matches to find. */
  readonly limit: number;
}

/** Matching steps (size of the pattern × characters) allowed on the calling thread: at worst 100 ms. */
const maxStepsHere = 200_000;

const threadsByClock = perClock(
  (clock) =>
    new DeadlineThreads<LinesRequest, number[]>({
      task: 'Matching a regular expression',
      remedy: 'Simplify the pattern, or match less text.',
      program: programUrl(),
      clock,
      timeoutMs: 2_000,
      heapLimitMb: 256,
      size: 2,
      // Each request is a waiting step or condition.
      maxWaiting: 10_000,
    }),
);

/**
 * Finds the lines that match a pattern. Matching that may take long runs in a thread, limited to 2 seconds.
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
  return threadsByClock(clock).run({ ...pattern.source, lines, limit });
}

/** Returns the URL of the source file, or of the built file next to the folder of the engine's bundle. */
const programUrl = (): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL('./pattern-thread.ts', import.meta.url)
    : new URL('../patterns/thread.cjs', import.meta.url);
