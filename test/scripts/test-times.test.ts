import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  formatSlowestFiles,
  checkTimes,
  readPlaywrightTimes,
  readReasons,
  readVitestTimes,
  startMeasuring,
} from '../../scripts/setup/test-times.mjs';
import { makeTemporaryFolder } from '../harness/resources.ts';

const root = join(import.meta.dirname, '../..');

function writeReport(report: unknown): string {
  const file = join(makeTemporaryFolder(), 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const timed = (name: string, seconds: number): { file: string; name: string; seconds: number } => ({
  file: name.split(' > ')[0]!,
  name,
  seconds,
});

describe('durations of test cases', () => {
  it('are read from a Vitest report, except those of failed cases', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a queue is empty', duration: 1500 },
      { status: 'failed', fullName: 'a queue is full', duration: 30_000 },
    ];
    const file = writeReport({ testResults: [{ name: join(root, 'test/a.test.ts'), assertionResults }] });
    expect(readVitestTimes(file)).toEqual([timed('test/a.test.ts > a queue is empty', 1.5)]);
  });

  it('are read from a Playwright report, at any nesting depth', () => {
    const spec = (title: string, status: string): unknown => ({
      title,
      file: 'e2e/a.spec.ts',
      tests: [{ status, results: [{ duration: 2000 }] }],
    });
    const file = writeReport({
      suites: [{ specs: [spec('opens', 'expected')], suites: [{ specs: [spec('closes', 'unexpected')] }] }],
    });
    expect(readPlaywrightTimes(file)).toEqual([timed('test/e2e/a.spec.ts > opens', 2)]);
  });

  it('are empty without a report', () => {
    expect(readVitestTimes('/absent.json')).toEqual([]);
    expect(readPlaywrightTimes('/absent.json')).toEqual([]);
  });

  it('are summed per file', () => {
    const cases = Array.from({ length: 12 }, (_, index) => timed(`test/${index}.test.ts > a`, index));
    const lines = formatSlowestFiles([...cases, timed('test/0.test.ts > b', 40)]);
    expect(lines).toHaveLength(10);
    expect(lines.slice(0, 2)).toEqual(['    40.0 s  test/0.test.ts', '    11.0 s  test/11.test.ts']);
  });
});

describe('judgeTimes', () => {
  const cases = [
    timed('test/a.test.ts > waits for a lease', 9),
    timed('test/a.test.ts > is quick', 0.1),
    timed('test/b.test.ts > computes', 6),
  ];
  const idle = { load: 0.4, all: true };

  it('names cases over the limit without a reason', () => {
    const { failures, notes } = checkTimes(cases, { 'test/b.test.ts': 'a large graph' }, idle);
    expect(failures).toEqual([
      'too slow: test/a.test.ts > waits for a lease\n    took 9.0 s, the limit is 5.0 s (5 s times the load). ' +
        'Make it faster, or give a reason in test/slow-tests.json',
    ]);
    expect(notes).toEqual([]);
  });

  it('scales the limit with the load of the machine', () => {
    const { failures } = checkTimes(cases, {}, { load: 1.5, all: true });
    expect(failures.map((text) => text.split('\n')[0])).toEqual([
      'too slow: test/a.test.ts > waits for a lease',
    ]);
    expect(checkTimes(cases, {}, { load: 2, all: true }).failures).toEqual([]);
  });

  it('names unnecessary entries', () => {
    const reasons = {
      'test/a.test.ts > is': 'once slow',
      'test/a.test.ts > waits': 'a lease',
      'test/b.test.ts': 'a large graph',
      'test/gone.test.ts': 'removed',
    };
    expect(checkTimes(cases, reasons, idle)).toEqual({
      failures: [],
      notes: [
        'no longer needed in test/slow-tests.json: test/a.test.ts > is\n    took 0.1 s at most',
        'no longer needed in test/slow-tests.json: no passed test starts with "test/gone.test.ts"',
      ],
    });
    // A partial test run says nothing about the other tests.
    expect(checkTimes(cases, reasons, { load: 0, all: false }).notes).toHaveLength(1);
  });
});

describe('the list of slow tests', () => {
  it('gives a reason for each entry', () => {
    for (const [name, reason] of Object.entries(readReasons())) {
      expect(name).toMatch(/^test\/\S+(\/|\.test\.tsx?|\.spec\.ts)( > .+)?$/);
      expect(reason).toMatch(/\w+ \w+/);
    }
  });
});

describe('startMeasuring', () => {
  it('reports time, CPU seconds and load', () => {
    const { load, text } = startMeasuring()();
    expect(load).toBe(0);
    expect(text).toMatch(
      /^Took 0 s: .*\d+ of the whole machine \(\d+ processors, load 0\.0 on average, 0\.0 at most\)$/,
    );
  });
});
