import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Journal } from '../../../../core/distributed/worker/journal.ts';
import type { RemoteResult } from '../../../../core/run/remote/remote-task.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const first = { key: 'a', fence: 1 };
const second = { key: 'b', fence: 2 };
const result: RemoteResult = {
  ...{ exitCode: 0, hidden: [], startedAt: 1, finishedAt: 2, logs: { stdout: 0, stderr: 0 }, artifacts: [] },
};

/** A journal with two tasks, one of them ended. */
async function write(folder: string): Promise<string> {
  const journal = await Journal.open(folder);
  await journal.accept(
    [
      { ...first, payload: '{}' },
      { ...second, payload: '{}' },
    ],
    'boot-1',
  );
  await Promise.all([
    journal.begin([first, second]),
    journal.recordProcess(first, { pid: 5, pidStart: '9' }),
    journal.end(second, result),
  ]);
  await journal.close();
  return path.join(folder, 'tasks.jsonl');
}

test('written entries survive a restart, reported ones do not', async () => {
  const folder = makeTemporaryFolder();
  await write(folder);

  const journal = await Journal.open(folder);

  expect(journal.list()).toEqual([
    { ...first, payload: '{}', bootId: 'boot-1', isBegun: true, process: { pid: 5, pidStart: '9' } },
    { ...second, payload: '{}', bootId: 'boot-1', isBegun: true, result },
  ]);
  await journal.forget([first]);
  await journal.close();
  const again = await Journal.open(folder);
  expect(again.list().map(({ key }) => key)).toEqual(['b']);
  await again.close();
});

test('skips a truncated line, and reads what is written after it', async () => {
  const folder = makeTemporaryFolder();
  const file = await write(folder);
  truncateSync(file, statSync(file).size - 10);
  appendFileSync(file, `\n${JSON.stringify({ is: 'gone', ...first })}`);

  const journal = await Journal.open(folder);

  expect(journal.list()).toEqual([{ ...second, payload: '{}', bootId: 'boot-1', isBegun: true }]);
  await journal.close();
});

test('the file does not grow without bound', async () => {
  const folder = makeTemporaryFolder();
  const journal = await Journal.open(folder);
  const payload = JSON.stringify('x'.repeat(1024 * 1024));
  for (let fence = 1; fence <= 12; fence += 1) {
    const hold = { key: 'a', fence };
    await journal.accept([{ ...hold, payload }], 'boot-1');
    await journal.forget([hold]);
  }
  await journal.close();

  expect(readFileSync(path.join(folder, 'tasks.jsonl')).length).toBeLessThan(8 * 1024 * 1024);
});
