import { expect, test } from 'vitest';
import { compilePattern } from '../../../../core/base/pattern.ts';
import { DeadlineError } from '../../../../core/process/threads/deadline-threads.ts';
import { matchLines } from '../../../../core/process/threads/match-lines.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { slowLine, slowPattern } from '../../../harness/samples.ts';
import { until } from '../../../harness/resources.ts';

const find = (source: string, lines: readonly string[], limit = 10): Promise<number[]> =>
  matchLines(compilePattern(source), { lines, limit }, systemClock);

test('finds matching lines, up to the requested number', async () => {
  expect(await find('^[ab]$', ['a', 'ab', 'b', 'a'], 2)).toEqual([0, 2]);
  expect(await find('x', [])).toEqual([]);
});

test('finds the same in a thread, where large text is matched', async () => {
  const noise = '.'.repeat(100_000);
  expect(await find('(?i)^end$', [noise, 'END', noise, 'end'])).toEqual([1, 3]);
  expect(await find('^(a+)+$', [`${'a'.repeat(1_000_000)}!`])).toEqual([]);
});

test('is terminated at its deadline', async () => {
  const clock = new FakeClock();
  let ended: unknown;
  const lines = Array<string>(100).fill(slowLine);
  matchLines(compilePattern(slowPattern), { lines, limit: 1 }, clock).then(
    () => (ended = 'matched'),
    (error: unknown) => (ended = error),
  );
  await until(() => {
    clock.advance(20);
    return ended !== undefined;
  });
  expect(ended).toBeInstanceOf(DeadlineError);
  expect((ended as Error).message).toBe(
    'Matching a regular expression took longer than 2 seconds. Simplify the pattern, or match less text.',
  );
});
