import { describe, expect, it, test } from 'vitest';
import {
  countConditions,
  readRunQuery,
  toRunFilter,
  writeRunQuery,
  readViews,
  storeViews,
  savedViewsKey,
  withView,
} from '../../../../renderer/features/runs/run-query.ts';
import { findFirstDay, groupIntoWeeks } from '../../../../renderer/features/runs/heat-map.tsx';

const read = (text: string) => readRunQuery(new URLSearchParams(text));
const now = Date.parse('2026-11-22T10:00:30Z');
const clock = {
  now,
  today: Date.parse('2026-11-22T00:00:00Z'),
  getDayBounds: (date: string) => {
    const from = Date.parse(`${date}T00:00:00Z`);
    return { from, until: from + 86_400_000 };
  },
};

describe('the URL of a list of runs', () => {
  it('is parsed and written without loss', () => {
    const text =
      'text=oslo&name=etl&status=failed%2Caborted&trigger=schedule&queue=q&tags=a%2Cb&range=week&longer=5&startedBy=anna&subRuns=yes&noted=yes';
    const written = Object.entries(writeRunQuery(read(text))).filter(([, value]) => value) as [
      string,
      string,
    ][];
    expect(new URLSearchParams(written).toString()).toBe(text);
    expect(countConditions(read(text))).toBe(11);
  });

  it('keeps the valid parts of a typed one', () => {
    expect(read('status=failed,odd&trigger=magic&range=eon&from=yesterday&longer=-1')).toEqual(
      read('status=failed'),
    );
    expect(countConditions(read('nonsense=1'))).toBe(0);
    expect(read('from=2026-02-30&to=2026-02-28')).toEqual(read('to=2026-02-28'));
  });

  it('is converted to a query for the engine', () => {
    expect(
      toRunFilter(
        read('text=x&name=etl&status=failed&longer=1.5&shorter=60&startedBy=anna&subRuns=yes&noted=yes'),
        clock,
      ),
    ).toEqual({
      text: 'x',
      name: 'etl',
      status: ['failed'],
      minDuration: 1.5,
      maxDuration: 60,
      startedBy: 'anna',
      subRuns: true,
      hasNote: true,
    });
    expect(toRunFilter(read('range=hour'), clock)).toEqual({ fromDate: '2026-11-22T09:00:00.000Z' });
    expect(toRunFilter(read('range=today'), clock)).toEqual({ fromDate: '2026-11-22T00:00:00.000Z' });
    expect(toRunFilter(read('from=2026-11-01&to=2026-11-02'), clock)).toEqual({
      fromDate: '2026-11-01T00:00:00.000Z',
      toDate: '2026-11-03T00:00:00.000Z',
    });
    expect(toRunFilter(read('name=no%20name'), clock)).toEqual({});
  });
});

describe('saved views', () => {
  it('belong to a user and a home, and the newer one of two with the same name is kept', () => {
    const kept = new Map<string, string>();
    const place = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const key = savedViewsKey('/h', 'ann');
    const views = withView(withView([], { name: 'b', query: 'text=1' }), { name: 'a', query: '' });
    expect(storeViews(place, key, withView(views, { name: 'b', query: 'text=2' }))).toBe(true);
    expect(readViews(place, key)).toEqual([
      { name: 'a', query: '' },
      { name: 'b', query: 'text=2' },
    ]);
    expect(readViews(place, savedViewsKey('/h', 'eve'))).toEqual([]);
    kept.set(key, '[{"name":1},"x",{"name":"ok","query":""}]');
    expect(readViews(place, key)).toEqual([{ name: 'ok', query: '' }]);
    kept.set(key, '{');
    expect(readViews(place, key)).toEqual([]);
  });
});

test('the calendar has whole weeks from Monday, and is darker on days with more runs', () => {
  expect(findFirstDay('2026-11-22', 2)).toBe('2026-11-09');
  expect(findFirstDay('2026-11-23', 1)).toBe('2026-11-23');
  const weeks = groupIntoWeeks('2026-11-09', '2026-11-17', [
    { date: '2026-11-10', total: 100, failed: 1 },
    { date: '2026-11-16', total: 1, failed: 0 },
  ]);
  expect(weeks.map((week) => week.map(({ level }) => level))).toEqual([
    [0, 4, 0, 0, 0, 0, 0],
    [1, 0],
  ]);
});
