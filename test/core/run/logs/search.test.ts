import { expect, onTestFinished, test } from 'vitest';
import type { ErrorBody } from '../../../../core/base/errors.ts';
import type { LogMatches } from '../../../../core/contract/logs.ts';
import { LogReader } from '../../../../core/run/logs/log-reader.ts';
import { maxSearches, maxSilentMs, type LineQuery } from '../../../../core/run/logs/log-searches.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { slowLine, slowPattern } from '../../../harness/samples.ts';
import { until } from '../../../harness/resources.ts';
import { createTempLog } from '../run-harness.ts';

const openReader = () => {
  const clock = new FakeClock();
  const reader = new LogReader({ clock });
  onTestFinished(() => reader.close());
  return { clock, reader };
};

/** Everything that a search emits until its end. */
function search(file: string, wanted: LineQuery, reader = openReader().reader) {
  const parts: LogMatches[] = [];
  return new Promise<{ parts: LogMatches[]; hits: LogMatches['hits']; count: number; error?: ErrorBody }>(
    (resolve) => {
      reader.search(file, wanted, {
        item: (found) => void parts.push(found),
        end: (error) =>
          resolve({
            parts,
            hits: parts.flatMap(({ hits }) => hits),
            count: parts.reduce((sum, part) => sum + part.count, 0),
            ...(error && { error }),
          }),
      });
    },
  );
}

test('finds text with its line, byte and columns, in any case', async () => {
  await using log = await createTempLog('first\nWarning: a warning\nlast wArn');
  const { hits, parts } = await search(log.file, { query: 'warn' });
  expect(hits).toEqual([
    {
      line: 1,
      offset: 6,
      columns: [
        [0, 4],
        [11, 15],
      ],
    },
    { line: 2, offset: 25, columns: [[5, 9]] },
  ]);
  expect(parts.at(-1)).toMatchObject({ to: 3, offset: 34, size: 34 });
  expect((await search(log.file, { query: 'warn', matchCase: true })).hits).toEqual([
    { line: 1, offset: 6, columns: [[11, 15]] },
  ]);
});

test('treats a query literally unless it is a regular expression', async () => {
  await using log = await createTempLog('a.c\nabc\n');
  expect((await search(log.file, { query: 'a.c' })).hits.map(({ line }) => line)).toEqual([0]);
  expect((await search(log.file, { query: '^a.c$', regex: true })).hits.map(({ line }) => line)).toEqual([
    0, 1,
  ]);
  expect((await search(log.file, { query: 'x*', regex: true })).count).toBe(0);
});

test('ignores colors and overwritten text', async () => {
  await using log = await createTempLog(
    '10 %\r20 %\rdone\u001B[0m\n\u001B[31mer\u001B[1mror\u001B[0m: no\n20\r\n',
  );
  expect((await search(log.file, { query: 'error' })).hits).toMatchObject([{ line: 1, columns: [[0, 5]] }]);
  expect((await search(log.file, { query: '20' })).hits).toMatchObject([{ line: 2 }]);
});

test('counts all matching lines, and returns as many as requested', async () => {
  const lines = 300_000;
  await using log = await createTempLog('every line has it, and it is long enough\n'.repeat(lines));
  const { hits, count, parts } = await search(log.file, { query: 'HAS IT', limit: 5 });
  expect(count).toBe(lines);
  expect(hits.map(({ line }) => line)).toEqual([0, 1, 2, 3, 4]);
  expect(parts.length).toBeGreaterThan(2);
  parts.forEach((part, index) => expect(part.from).toBe(parts[index - 1]?.to ?? 0));
  const later = await search(log.file, { query: 'has it', from: 299_990, to: 299_995 });
  expect(later.hits.map(({ line }) => line)).toEqual([299_990, 299_991, 299_992, 299_993, 299_994]);
  expect(later.hits[0]!.offset).toBe(299_990 * 41);
});

test('searching whole blocks gives the same results as line by line', async () => {
  const lines = Array.from(
    { length: 40_000 },
    (_, index) => `${index} größer ${index % 997 === 0 ? 'Treffer' : '…'} als alles andere`,
  );
  await using plain = await createTempLog(lines.join('\n'));
  await using coloured = await createTempLog(lines.map((line) => `\u001B[0m${line}`).join('\n'));
  const whole = await search(plain.file, { query: 'treffer' });
  const single = await search(coloured.file, { query: 'treffer' });
  expect(whole.count).toBe(41);
  expect(whole.parts.at(-1)!.to).toBe(40_000);
  expect(single.parts.at(-1)!.to).toBe(40_000);
  const places = single.hits.map(({ line, columns }) => ({ line, columns }));
  expect(whole.hits.map(({ line, columns }) => ({ line, columns }))).toEqual(places);
  const text = Buffer.from(lines.join('\n'));
  for (const { line, offset } of whole.hits) {
    expect(text.subarray(offset, offset + 20).toString()).toContain(`${line} größer`.slice(0, 12));
  }
});

test('searches a line longer than any block as far as it is shown, and numbers later lines correctly', async () => {
  await using log = await createTempLog(`${'x'.repeat(70_000)}far${'x'.repeat(3_000_000)}\nnear\n`);
  expect((await search(log.file, { query: 'far' })).count).toBe(0);
  expect((await search(log.file, { query: 'near' })).hits).toMatchObject([{ line: 1, offset: 3_070_004 }]);
});

test('finds text in another encoding', async () => {
  await using log = await createTempLog(Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
  expect((await search(log.file, { query: '日本', charset: 'shift_jis' })).hits).toMatchObject([{ line: 0 }]);
});

/** A search that takes minutes. */
const slow = { query: slowPattern, regex: true };
const slowLines = `${slowLine}\n`.repeat(100);

test('ends a pattern that takes too long with the reason, and rejects an invalid one', async () => {
  await using log = await createTempLog(`fine\n${slowLines}`);
  const { clock, reader } = openReader();
  let end: ErrorBody | undefined;
  reader.search(log.file, slow, { item() {}, end: (error) => (end = error) });
  await until(() => {
    clock.advance(maxSilentMs / 100);
    return end !== undefined;
  });
  expect(end).toMatchObject({ code: 'bad_request', details: { field: 'query' } });
  expect(end!.message).toContain('the pattern is too slow after line');
  expect(() => reader.search(log.file, { query: '(', regex: true }, { item() {}, end() {} })).toThrow(
    'query: Invalid regular expression: missing closing )',
  );
});

test('limits concurrent searches, and a cancelled one frees its slot', async () => {
  await using log = await createTempLog(`!\n${slowLines}`);
  const { reader } = openReader();
  const observer = { item() {}, end() {} };
  const stops = Array.from({ length: maxSearches }, () => reader.search(log.file, slow, observer));
  await until(() => {
    try {
      reader.search(log.file, slow, observer)();
      return false;
    } catch (error) {
      return (error as Error).message.includes('Limit of ');
    }
  });
  for (const stop of stops) stop();
  expect((await search(log.file, { query: '!' }, reader)).count).toBe(1);
});

test('finds nothing in a missing log', async () => {
  await using log = await createTempLog();
  expect(await search(log.file, { query: 'x' })).toMatchObject({ parts: [], count: 0 });
});
