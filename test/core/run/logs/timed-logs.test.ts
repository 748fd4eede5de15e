import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptFiles } from '../../../../core/model/run.ts';
import { recordIntervalMs, OutputTimes, TimedLogs } from '../../../../core/run/logs/timed-logs.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';

const begunAt = Date.UTC(2026, 0, 1);

async function openAttempt() {
  const folder = makeTemporaryFolder();
  const clock = new FakeClock(begunAt);
  const write = (stream: 'stdout' | 'stderr', text: string) =>
    appendFile(join(folder, attemptFiles[stream]), text);
  await write('stdout', '');
  await write('stderr', '');
  const file = join(folder, attemptFiles.times);
  const notes = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const countNotes = () => notes().split('\n').length - 1;
  /** Lets time pass until there are this many samples. */
  const untilNoted = (count: number) =>
    until(() => {
      clock.advance(recordIntervalMs);
      return countNotes() >= count;
    });
  return { folder, clock, write, notes, untilNoted };
}

test('samples the growth of both streams, and turns it into lines with times', async () => {
  const { folder, clock, write, untilNoted } = await openAttempt();
  const over = new OutputTimes(clock).watch(folder);
  await write('stdout', 'one\ntwo\nthr');
  await untilNoted(1);
  await write('stderr', 'oh\n');
  await untilNoted(2);
  await write('stdout', 'ee\n');
  await over();
  const times = await new TimedLogs().read(folder, 0);
  expect(times).toMatchObject({ stdout: [2, 2, 3], stderr: [0, 1, 1], next: 3, more: false });
  expect(times.at[0]).toBeGreaterThanOrEqual(begunAt + recordIntervalMs);
  expect(times.at.toSorted((a, b) => a - b)).toEqual(times.at);
  expect(clock.pending).toBe(0);
  const logs = new TimedLogs();
  await logs.read(folder, 2);
  expect((await logs.read(folder, 1)).stdout).toEqual([2, 3]);
});

test('an attempt that ends before the first sample leaves no file', async () => {
  const { folder, clock, write, notes } = await openAttempt();
  const over = new OutputTimes(clock).watch(folder);
  await write('stdout', 'quick\n');
  await over();
  expect(notes()).toBe('');
  expect(await new TimedLogs().read(folder, 0)).toEqual({
    at: [],
    stdout: [],
    stderr: [],
    next: 0,
    more: false,
  });
});

test('skips truncated lines, and times that run backwards', async () => {
  const { folder, write } = await openAttempt();
  await write('stdout', 'a\nb\nc\n');
  await appendFile(join(folder, attemptFiles.times), '1000 2 0\n12 4\n900 4 0\n1100 1 0\n1200 6 0\n13');
  expect(await new TimedLogs().read(folder, 0)).toMatchObject({ at: [1000, 1200], stdout: [1, 3] });
});
