import { expect, it } from 'vitest';
import { parseDuration, parseSpan } from '../../../core/base/duration.ts';

it.each([
  ['90', 90],
  ['1.5', 1.5],
  ['500ms', 0.5],
  ['1m30s', 90],
  ['1.5h', 5400],
  ['7d', 604_800],
])('%s is %d seconds', (text, seconds) => expect(parseDuration(text)).toBeCloseTo(seconds, 9));

it.each(['', ' 5', '-5', '5x', 'm5', '1h 30m', '1e3', '.5h', '1m1m1m1m1m1m'])('rejects %j', (text) =>
  expect(parseDuration(text)).toBeUndefined(),
);

it('requires a unit in a span', () => {
  expect([parseSpan('30'), parseSpan('30m')]).toEqual([undefined, 1800]);
});
