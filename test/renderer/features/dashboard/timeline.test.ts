import { expect, test } from 'vitest';
import {
  fitWindow,
  selectTimeRange,
  buildLanes,
  listTicks,
  maxIntervalsIn,
} from '../../../../renderer/features/dashboard/timeline.tsx';
import { makeRunSummaryView } from '../../../harness/samples.ts';

const at = (time: string): number => Date.parse(`2026-11-22T${time}Z`);
const window = { from: at('10:00:00'), until: at('11:00:00') };
const run = (name: string, started: string, finished?: string) =>
  makeRunSummaryView({
    name,
    dagRunId: `${name} ${started}`,
    status: finished === undefined ? 'running' : 'succeeded',
    startedAt: `2026-11-22T${started}Z`,
    ...(finished !== undefined && { finishedAt: `2026-11-22T${finished}Z` }),
  });

test('each workflow has a lane; runs are clipped to the range, and wide enough to click', () => {
  const lanes = buildLanes(
    [
      run('a', '10:30:00'),
      run('b', '09:00:00', '10:15:00'),
      run('a', '10:15:00', '10:15:01'),
      run('old', '08:00:00', '09:00:00'),
    ],
    window,
    at('10:45:00'),
  );
  expect(lanes.map(({ name, bars }) => [name, bars.map(({ left, width }) => [left, width])])).toEqual([
    [
      'a',
      [
        [50, 25],
        [25, 0.35],
      ],
    ],
    ['b', [[0, 25]]],
  ]);
});

test('runs too close to be distinguished share a bar, up to a few pixels', () => {
  const minutes = Array.from({ length: 120 }, (_, index) => new Date(at('10:00:00') - index * 60_000));
  const times = minutes.map((date) => date.toISOString().slice(11, 19));
  const day = { from: at('00:00:00'), until: at('12:00:00') };
  const [lane] = buildLanes(
    times.map((time) => run('a', time, `${time.slice(0, 6)}05`)),
    day,
    day.until,
  );
  expect(lane!.bars.length).toBeLessThan(20);
  expect(lane!.bars.flatMap(({ runs }) => runs.map(({ dagRunId }) => dagRunId))).toEqual(
    times.map((time) => `a ${time}`),
  );
  expect(Math.max(...lane!.bars.map(({ width }) => width))).toBeLessThanOrEqual(1.5);

  const hour = { from: at('09:00:00'), until: at('10:00:00') };
  const zoomed = buildLanes(
    [run('a', '09:31:00', '09:31:05'), run('a', '09:30:00', '09:30:05')],
    hour,
    hour.until,
  );
  expect(zoomed[0]!.bars).toHaveLength(2);
  const mixed = buildLanes([run('a', '09:30:05'), run('a', '09:30:00', '09:30:05')], day, at('09:30:10'));
  expect(mixed[0]!.bars).toHaveLength(2);
});

test('the axis has round times of the displayed zone', () => {
  const texts = (offset: number) =>
    listTicks(window, offset).map((tick) => new Date(tick).toISOString().slice(11, 16));
  expect(texts(0)).toEqual(['10:00', '10:10', '10:20', '10:30', '10:40', '10:50', '11:00']);
  const day = { from: at('00:30:00'), until: at('23:30:00') };
  // Half an hour from UTC, its full hours are at half past.
  expect(new Date(listTicks(day, 1_800_000)[0]!).toISOString().slice(14, 16)).toBe('30');
});

test.each([205, 320, 640, 1200])('the labels of the axis do not overlap at %i pixels', (width) => {
  for (const minutes of [10, 25, 60, 200, 360, 1440]) {
    const shown = { from: at('00:00:00'), until: at('00:00:00') + minutes * 60_000 };
    const ticks = listTicks(shown, 0, maxIntervalsIn(width));
    const places = ticks.map((tick) => (width * (tick - shown.from)) / (shown.until - shown.from));
    const gaps = places.slice(1).map((place, index) => place - places[index]!);
    // `00:00` is 36 pixels wide, and the last label may move 18 pixels to the left.
    expect(Math.min(...gaps)).toBeGreaterThan(54);
  }
});

test('dragging over a range zooms to it; a click does nothing', () => {
  expect(selectTimeRange(window, 0.75, 0.25)).toEqual({ from: at('10:15:00'), until: at('10:45:00') });
  expect(selectTimeRange(window, 0.5, 0.505)).toBeUndefined();
});

test('the timeline starts at its first run, so that the bars use its width', () => {
  const from = (first: string) =>
    new Date(fitWindow([run('a', first)], window).from).toISOString().slice(11, 19);
  expect(from('10:30:05')).toBe('10:30:00');
  expect(from('09:30:00')).toBe('10:00:00');
  expect(from('10:59:00')).toBe('10:50:00');
});
