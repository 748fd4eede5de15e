import { afterEach, expect, test } from 'vitest';
import { formatCrashReport } from '../../../renderer/app/error-boundary.tsx';
import { withQuery, paths } from '../../../renderer/navigation/address.ts';
import { setPreferences, usePreferences } from '../../../renderer/base/preferences.ts';
import { notifyMissedRuns } from '../../../renderer/app/offline-banner.tsx';
import { formatTitle } from '../../../renderer/app/rail.tsx';
import { findEntries } from '../../../renderer/app/palette-entries.ts';
import { formatDay, formatFull, formatRelative } from '../../../renderer/format/time.ts';
import { makeRunSummaryView } from '../../harness/samples.ts';

afterEach(() => setPreferences({ timeZone: 'local', clock: '24', times: 'relative' }));

test('a URL contains the selection, and only that', () => {
  expect(withQuery(paths.runs, { status: 'failed', text: 'a b&c', tag: undefined, queue: '' })).toBe(
    '/runs?status=failed&text=a+b%26c',
  );
  expect(withQuery('/runs', {})).toBe('/runs');
  expect(paths.compare({ name: 'a/b', dagRunId: '1' }, { name: 'c', dagRunId: '2' })).toBe(
    '/compare/a%2Fb/1/c/2',
  );
});

test('one time zone and clock format apply to all times', () => {
  setPreferences({ timeZone: 'Asia/Tokyo', clock: '12' });
  expect(formatFull('2026-01-01T20:00:05Z')).toBe('2 Jan 2026, 05:00:05 am GMT+9');
  expect(formatDay('2026-01-01T20:00:00Z')).toBe('2 Jan 2026');
  setPreferences({ timeZone: 'UTC', clock: '24', times: 'absolute' });
  expect(formatRelative('2026-01-01T20:00:00Z', Date.parse('2026-01-01T20:05:00Z'))).toBe('1 Jan, 20:00');
});

test('a preference is saved in the browser', () => {
  setPreferences({ timeZone: 'Europe/Paris' });
  expect(JSON.parse(localStorage.getItem('stepwright.preferences') ?? '')).toMatchObject({
    timeZone: 'Europe/Paris',
  });
  expect(usePreferences.getState().timeZone).toBe('Europe/Paris');
});

test('the title shows running and failed runs', () => {
  expect(formatTitle('Stepwright', {})).toBe('Stepwright');
  expect(formatTitle('Stepwright', { running: 2, failed: 1, asking: 3 })).toBe(
    '1 failed, 3 waiting for approval, 2 running · Stepwright',
  );
});

test('summarizes missed changes in a sentence', () => {
  const dagRuns = [makeRunSummaryView({ status: 'failed' }), makeRunSummaryView({ status: 'succeeded' })];
  expect(notifyMissedRuns({ dagRuns })).toBe('2 runs started, 1 failed.');
  expect(notifyMissedRuns({ dagRuns: dagRuns.slice(1), nextCursor: 'c' })).toBe('1 or more run started.');
});

test('an error report contains the location, without input or server', () => {
  const failure = Object.assign(new Error('no such thing'), {
    stack: 'Error: no such thing\n    at Page (https://jobs.example.com/flows/assets/page.js:1:2)',
  });
  const report = formatCrashReport({
    failure,
    version: '1.2.3',
    location: '#/runs?text=secret',
    browser: 'Test',
    at: '2026-01-01T00:00:00.000Z',
  });
  expect(report).toContain('Stepwright 1.2.3\nPage: #/runs\n');
  expect(report).toContain('at Page (/flows/assets/page.js:1:2)');
  expect(report).not.toMatch(/secret|example/);
});

test('the palette matches all words, prefixes of names first', () => {
  const entries = ['nightly-sales', 'sales-etl', 'Run sales-etl', 'backup'].map((title) => ({
    id: title,
    title,
    run: () => undefined,
  }));
  expect(findEntries(entries, 'sal', 8).map(({ title }) => title)).toEqual([
    'sales-etl',
    'Run sales-etl',
    'nightly-sales',
  ]);
  expect(findEntries(entries, 'run sal', 8).map(({ title }) => title)).toEqual(['Run sales-etl']);
  expect(findEntries(entries, 'nothing', 8)).toEqual([]);
});
