import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from '../../../../core/run/logs/indexed-log.ts';

test('counts lines in any chunks, including an unfinished last one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\n\n', 'ü')),
      fc.integer({ min: 1, max: 9 }),
      (parts, size) => {
        const text = Buffer.from(parts.join(''));
        const index = new LineIndex();
        for (let at = 0; at < text.length; at += size) index.push(text.subarray(at, at + size));
        const chunks = text.toString().split('\n');
        expect(index.totalLines).toBe(chunks.length - (chunks.at(-1) === '' ? 1 : 0));
        expect(index.finishedLines).toBe(chunks.length - 1);
        expect(index.size).toBe(text.length);
      },
    ),
  );
});

test('every checkpoint is the start of its line', () => {
  const lines = Array.from({ length: 40_000 }, (_, line) => `${line} ${'x'.repeat(line % 70)}\n`);
  const text = Buffer.from(lines.join(''));
  const index = new LineIndex();
  for (let at = 0; at < text.length; at += 10_007) index.push(text.subarray(at, at + 10_007));
  expect(index.markCount).toBeGreaterThan(10);
  for (const line of [0, 1, 999, 20_000, 39_999, 1_000_000]) {
    const mark = index.seek(line);
    expect(mark.line).toBeLessThanOrEqual(line);
    expect(text.subarray(mark.offset).toString('utf8', 0, 6)).toMatch(new RegExp(`^${mark.line} `));
  }
  const mark = index.seek(20_000);
  expect(text.subarray(mark.offset).indexOf('\n20000 ')).toBeLessThan(70_000);
});

test('memory does not grow with the file', () => {
  const index = new LineIndex();
  const chunk = Buffer.alloc(1_048_576, 'x');
  for (let at = 65_535; at < chunk.length; at += 65_536) chunk[at] = 10;
  for (let megabyte = 0; megabyte < 4096; megabyte += 1) index.push(chunk);
  expect(index.totalLines).toBe(65_536);
  expect(index.markCount).toBeLessThanOrEqual(16_384);
  const { line, offset } = index.seek(60_000);
  expect(offset).toBe(line * 65_536);
  expect(60_000 - line).toBeLessThan(8);
});
