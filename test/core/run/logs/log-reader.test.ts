import { mkdir, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probedBytes } from '../../../../core/run/logs/indexed-log.ts';
import { LogReader, maximumReplyBytes } from '../../../../core/run/logs/log-reader.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { createTempLog, splitNaively } from '../run-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const openReader = (options: { countedAtOnce?: number; capacity?: number } = {}) =>
  new LogReader({ clock: new FakeClock(), ...options });

const someBytes = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('\n', '\r\n', '\r', 'plain', 'ünïcødé €', '😀', 'x'.repeat(3000))
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => Buffer.concat(parts));

test('returns the same lines as a naive split, for any content and range', async () => {
  await using log = await createTempLog();
  const ranges = fc.record({
    from: fc.integer({ min: -70, max: 70 }),
    count: fc.integer({ min: 1, max: 70 }),
  });
  await fc.assert(
    fc.asyncProperty(someBytes, ranges, async (content, { from, count }) => {
      await log.write(content);
      const all = splitNaively(content);
      const start = Math.min(Math.max(from < 0 ? all.length + from : from, 0), all.length);
      expect(await openReader().lines(log.file, { from, count }, false)).toEqual({
        size: content.length,
        totalLines: all.length,
        complete: false,
        ...(content.subarray(0, probedBytes).includes(0) && { binary: true }),
        from: start,
        lines: all.slice(start, start + count),
      });
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('returns the same lines when some are huge', async () => {
  await using log = await createTempLog();
  const line = fc.oneof(
    fc.constantFrom('', 'short', '\r'),
    fc.integer({ min: 65_530, max: 65_542 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 65_533, max: 300_000 }).map((length) => `x${'é'.repeat(length / 2)}`),
  );
  const contents = fc
    .array(line, { maxLength: 12 })
    .chain((lines) => fc.constantFrom(lines.join('\n'), lines.join('\r\n')));
  await fc.assert(
    fc.asyncProperty(contents, fc.integer({ min: -13, max: 13 }), async (content, from) => {
      await log.write(content);
      const all = splitNaively(Buffer.from(content));
      const start = Math.min(Math.max(from < 0 ? all.length + from : from, 0), all.length);
      const reply = await openReader().lines(log.file, { from, count: 5 }, true);
      expect(reply).toMatchObject({ from: start, totalLines: all.length });
      expect(reply.lines).toEqual(all.slice(start, start + 5));
      const unindexed = await openReader({ countedAtOnce: 70_000 }).lines(log.file, { from, count: 5 }, true);
      expect(unindexed.lines).toEqual(reply.lines);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('returns the same lines while the file grows in arbitrary chunks', async () => {
  await using log = await createTempLog();
  await fc.assert(
    fc.asyncProperty(fc.array(someBytes, { minLength: 1, maxLength: 5 }), async (chunks) => {
      const reader = openReader();
      let content = Buffer.alloc(0);
      await log.write('');
      for (const chunk of chunks) {
        await log.append(chunk);
        content = Buffer.concat([content, chunk]);
        const reply = await reader.lines(log.file, { from: 0, count: 10_000 }, false);
        expect(reply.lines).toEqual(splitNaively(content));
        expect(reply.totalLines).toBe(reply.lines.length);
      }
    }),
    { numRuns: propertyRuns(50) },
  );
});

test('reads the right lines far into a file', async () => {
  const lines = Array.from({ length: 60_000 }, (_, line) => `line ${line} ${'-'.repeat(line % 50)}`);
  await using log = await createTempLog(`${lines.join('\n')}\n`);
  const reader = openReader();
  for (const from of [0, 1, 12_345, 59_990, -1, -59_999]) {
    const reply = await reader.lines(log.file, { from, count: 20 }, true);
    const start = from < 0 ? lines.length + from : from;
    expect(reply).toMatchObject({ from: start, totalLines: 60_000, lines: lines.slice(start, start + 20) });
  }
});

test('the tail of a file too large to count at once has estimated line numbers and exact text', async () => {
  const lines = Array.from({ length: 50_000 }, (_, line) => `line ${String(line).padStart(6, '0')}`);
  await using log = await createTempLog(`${lines.join('\n')}\n`);
  const reader = openReader({ countedAtOnce: 200_000 });
  const tail = await reader.lines(log.file, { from: -10, count: 10 }, true);
  expect(tail).toMatchObject({ size: 600_000, estimated: true, lines: lines.slice(-10) });
  // The quality of the estimate depends on how far the counting has come meanwhile.
  expect(Math.abs(tail.totalLines - 50_000)).toBeLessThan(500);
  expect(tail.from).toBe(tail.totalLines - 10);
  // Lines with a number wait until that line has been counted.
  const middle = await reader.lines(log.file, { from: 40_000, count: 2 }, true);
  expect(middle.lines).toEqual(lines.slice(40_000, 40_002));
  // A tail longer than can be read backwards waits until everything has been counted.
  const long = await reader.lines(log.file, { from: -30_000, count: 2 }, true);
  expect(long).toMatchObject({ from: 20_000, totalLines: 50_000, lines: lines.slice(20_000, 20_002) });
  expect((await reader.lines(log.file, { from: -10 }, true)).estimated).toBeUndefined();
});

test('truncates a huge line at 64 KiB without splitting a character', async () => {
  const giant = `${'x'.repeat(65_535)}€${'y'.repeat(400_000)}`;
  const exact = 'e'.repeat(65_536);
  await using log = await createTempLog(`first\n${giant}\n${exact}\r\nlast`);
  const reply = await openReader().lines(log.file, {}, true);
  expect(reply.lines).toEqual(['first', `${'x'.repeat(65_535)}…`, exact, 'last']);
  const alone = await openReader().lines(log.file, { from: 1, count: 1 }, true);
  expect(alone.lines).toEqual([`${'x'.repeat(65_535)}…`]);
});

test('shows invalid UTF-8 as U+FFFD', async () => {
  await using log = await createTempLog(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xe2, 0x82, 0x0a]));
  expect((await openReader().lines(log.file, {}, true)).lines).toEqual(['a\uFFFDb', '\uFFFD']);
});

test('a response contains at most 4 MiB of text, and at least one line', async () => {
  await using log = await createTempLog(`${'z'.repeat(50_000)}\n`.repeat(200));
  const reply = await openReader().lines(log.file, { count: 200 }, true);
  expect(reply.totalLines).toBe(200);
  expect(reply.lines.length).toBe(Math.ceil(maximumReplyBytes / 50_000));
});

test('a missing or empty file is an empty log', async () => {
  await using log = await createTempLog();
  const reader = openReader();
  const empty = { size: 0, totalLines: 0, complete: false, from: 0, lines: [] };
  expect(await reader.lines(log.file, { from: -5 }, false)).toEqual(empty);
  expect(await reader.lines(join(log.file, 'below', 'a-file'), {}, false)).toEqual(empty);
  expect(await reader.bytes(log.file, {}, false)).toEqual({ size: 0, complete: false, offset: 0, data: '' });
  await log.write('');
  expect(await reader.lines(log.file, { from: 3 }, false)).toEqual(empty);
});

test('rejects an unreadable path with its name', async () => {
  await using log = await createTempLog();
  await mkdir(log.file);
  await expect(openReader().lines(log.file, {}, true)).rejects.toMatchObject({
    code: 'home_unusable',
    message: expect.stringContaining(log.file),
  });
});

test('rereads a truncated or replaced file', async () => {
  await using log = await createTempLog('one\ntwo\nthree\n');
  const reader = openReader();
  expect((await reader.lines(log.file, {}, false)).totalLines).toBe(3);
  await truncate(log.file, 4);
  expect((await reader.lines(log.file, {}, false)).lines).toEqual(['one']);
  await rename(log.file, join(log.directory, 'old.log'));
  expect((await reader.lines(log.file, {}, false)).lines).toEqual([]);
  await log.write('fresh\nlines\nin a\nnew file\n');
  expect((await reader.lines(log.file, {}, false)).lines).toEqual(['fresh', 'lines', 'in a', 'new file']);
  await rm(log.file);
});

test('reads more files than the cache holds correctly', async () => {
  const reader = openReader({ capacity: 2 });
  await using log = await createTempLog('');
  const files = Array.from({ length: 5 }, (_, index) => join(log.directory, `${index}.log`));
  const { writeFile } = await import('node:fs/promises');
  await Promise.all(files.map((file, index) => writeFile(file, `file ${index}\n`)));
  for (const pass of [1, 2]) {
    const replies = await Promise.all(files.map((file) => reader.lines(file, {}, pass === 1)));
    expect(replies.map(({ lines }) => lines[0])).toEqual(files.map((_, index) => `file ${index}`));
  }
});

test('returns any range of bytes', async () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
  await using log = await createTempLog(content);
  const reader = openReader();
  const slice = await reader.bytes(log.file, { offset: 250, length: 100 }, true);
  expect(slice).toMatchObject({ size: 1000, complete: true, offset: 250 });
  expect(Buffer.from(slice.data, 'base64')).toEqual(content.subarray(250, 350));
  expect((await reader.bytes(log.file, {}, true)).data).toBe(content.toString('base64'));
  expect(await reader.bytes(log.file, { offset: 5000 }, true)).toMatchObject({ offset: 1000, data: '' });
});
