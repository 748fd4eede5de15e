import { expect, test } from 'vitest';
import { readConditions, writeCondition } from '../../../../renderer/editor/inspector/conditions-widget.tsx';
import { listParams, readPairs } from '../../../../renderer/editor/inspector/entry-rows.ts';
import {
  readDuration,
  showDuration,
  parseLike,
  readScalar,
  readCodes,
} from '../../../../renderer/editor/inspector/text-widgets.tsx';
import { listWaits } from '../../../../renderer/editor/inspector/form-widgets.tsx';
import { nextTimes } from '../../../../renderer/editor/inspector/schedule-widget.tsx';

test('durations are parsed with units and displayed in words', () => {
  expect(readDuration('1h 30m')).toBe(5400);
  expect(readDuration('90')).toBeUndefined();
  expect(showDuration('90')).toBe('1m 30s');
  expect(showDuration('${WAIT}')).toBe('');
});

test('a number is only one if it is written as one', () => {
  expect(['3', '1.5', '007', '1.0', '1e3'].map(readScalar)).toEqual([3, 1.5, '007', '1.0', '1e3']);
  expect(parseLike('3', '2')).toBe('3');
  expect(parseLike('false', true)).toBe(false);
});

test('exit codes are one number or a list', () => {
  expect(readCodes('75', false)).toBe(75);
  expect(readCodes('75', true)).toEqual([75]);
  expect(readCodes('1, 2', false)).toEqual([1, 2]);
  expect(readCodes(' ', false)).toBeUndefined();
});

test('pairs keep their form and their position', () => {
  const rows = readPairs(['A=1=2', { B: 3 }, { C: 'x', D: 'y' }, 'word']);
  expect(rows.map(({ name, value, form, path, whole }) => [name, value, form, path, whole])).toEqual([
    ['A', '1=2', 'text', [0], [0]],
    ['B', '3', 'map', [1, 'B'], [1]],
    ['C', 'x', 'map', [2, 'C'], [2, 'C']],
    ['D', 'y', 'map', [2, 'D'], [2, 'D']],
    ['', 'word', 'word', [3], [3]],
  ]);
  expect(listParams('first KEY="two words"')).toEqual(['first', { KEY: 'two words' }]);
});

test('conditions are rows, and can change their kind', () => {
  const [command, matches] = readConditions(['test -f x', { condition: '${A}', expected: 're:^b' }]);
  expect(command).toMatchObject({ kind: 'command', subject: 'test -f x' });
  expect(matches).toMatchObject({ kind: 'matches', expected: '^b', key: 'condition' });
  expect(writeCondition(matches!, 'equals')).toEqual({ condition: '${A}', expected: '^b' });
  expect(writeCondition({ ...command!, isNegated: true }, 'command')).toEqual({
    command: 'test -f x',
    negate: true,
  });
});

test('the retry delays are those of the engine', () => {
  expect(listWaits({ limit: 4, intervalSec: 5, backoff: true, maxIntervalSec: 15 })).toEqual([
    5000, 10_000, 15_000, 15_000,
  ]);
  expect(listWaits({ limit: '${N}', intervalSec: 5 })).toEqual([]);
});

test('the next runs follow the time zone of the workflow', () => {
  const schedule = { start: ['CRON_TZ=Europe/Berlin 0 6 * * *'], stop: [], restart: [] };
  const times = nextTimes(schedule, Date.parse('2026-03-27T12:00:00Z'));
  expect(times.slice(0, 2).map(({ at }) => new Date(at).toISOString())).toEqual([
    '2026-03-28T05:00:00.000Z',
    '2026-03-29T04:00:00.000Z',
  ]);
  expect(times).toHaveLength(5);
});
