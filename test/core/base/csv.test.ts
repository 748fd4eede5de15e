import { describe, expect, test } from 'vitest';
import { CsvStream, detectDelimiter, readCsv } from '../../../core/base/csv.ts';
import { detectType, outlineCsv, sendCsv } from '../../../core/base/csv-columns.ts';

const text = 'a,b\r\n1,"x ""y"",\nz"\n\n2,ä\n"open';

describe('CsvStream', () => {
  test('reads the same records from parts of any size', () => {
    const whole = [...readCsv(text, ',')].map(({ line, values }) => ({ line, values }));
    expect(whole.map(({ line }) => line)).toEqual([1, 2, 5, 6]);
    for (const size of [1, 2, 3, 7, 100]) {
      const stream = new CsvStream(',');
      const records = [];
      for (let at = 0; at < text.length; at += size) records.push(...stream.push(text.slice(at, at + size)));
      records.push(...stream.end());
      expect(records.map(({ line, values }) => ({ line, values }))).toEqual(whole);
    }
  });
});

test('the types of columns are detected, and numbers with leading zeros stay strings', () => {
  expect(detectType(['1', '', '-20'])).toBe('integer');
  expect(detectType(['12345678901'])).toBe('bigint');
  expect(detectType(['1.5', '2'])).toBe('numeric');
  expect(detectType(['007', '1'])).toBe('text');
  expect(detectType(['true', 'f'])).toBe('boolean');
  expect(detectType(['2026-01-02'])).toBe('date');
  expect(detectType(['2026-01-02T03:04:05Z'])).toBe('timestamptz');
  expect(detectType(['{"a": 1}', '[]'])).toBe('jsonb');
  expect(detectType(['', ''])).toBe('text');
});

test('the header is detected, and names are usable in SQL', () => {
  const outline = (lines: string) => outlineCsv([...readCsv(lines, detectDelimiter(lines))]);
  expect(outline('Order No.;Größe;Order-No\n1;2;x')).toMatchObject({
    hasHeader: true,
    columns: [
      { name: 'order_no', type: 'integer' },
      { name: 'große', type: 'integer' },
      { name: 'order_no_2', type: 'text' },
    ],
  });
  expect(outline('1,Bern\n2,Basel')).toMatchObject({
    hasHeader: false,
    columns: [{ name: 'column_1' }, { name: 'column_2' }],
  });
});

test('records are sent in batches, and broken lines are listed', async () => {
  const sizes: number[] = [];
  async function* parts() {
    yield 'a,b\n';
    for (let at = 0; at < 12_000; at += 1) yield `${at},x\n`;
    yield 'short\n';
  }
  const totals = await sendCsv({
    parts: parts(),
    delimiter: ',',
    hasHeader: true,
    width: 2,
    send: async (rows) => void sizes.push(rows.length),
  });
  expect(sizes).toEqual([5_000, 5_000, 2_000]);
  expect(totals).toEqual({
    rows: 12_000,
    problemCount: 1,
    problems: [{ line: 12_002, message: '1 value instead of 2' }],
  });
});
