import { describe, expect, it } from 'vitest';
import { BodyReader } from '../../../../core/gateway/query/body-reader.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { onTestCleanup } from '../../../harness/resources.ts';

const open = (clock = new FakeClock(), timeoutMs = 2_000): BodyReader => {
  const reader = new BodyReader(clock, timeoutMs);
  onTestCleanup(() => reader.close());
  return reader;
};

const job = (text: string, contentType = 'application/json', columns?: readonly string[]) => ({
  bytes: new TextEncoder().encode(text),
  contentType,
  columns,
});

const rows = `[${'{"id":1,"name":"x"},'.repeat(5_000)}{"id":1,"name":"x"}]`;

describe('large body', () => {
  it('is parsed in a thread with the same result as a small one here', async () => {
    const reader = open();
    expect(await reader.readBody(job(rows))).toEqual({
      json: rows,
      isArray: true,
      keys: ['id', 'name'],
      count: 5_001,
    });
    const call = await reader.readCallBody(job(rows));
    expect(call).toMatchObject({ mediaType: 'json', text: rows, object: { json: rows, count: 5_001 } });
    const csv = await reader.readBody(job(`id,name\n${'1,x\n'.repeat(20_000)}`, 'text/csv'));
    expect(csv).toMatchObject({ isArray: true, keys: ['id', 'name'], count: 20_000 });
    const form = await reader.readCallBody(
      job(`a=${'%'.repeat(100_000)}`, 'application/x-www-form-urlencoded'),
    );
    expect(JSON.parse(form.text)).toEqual({ a: '%'.repeat(100_000) });
  });

  it.each([
    ['invalid JSON', `${rows}!`, 'application/json', 'Empty or invalid json'],
    ['unequal keys', `${rows.slice(0, -1)},{"id":2}]`, 'application/json', 'All object keys must match'],
    ['deep JSON', '['.repeat(100_000), 'application/json', 'Empty or invalid json'],
    [
      'unequal lines',
      `id,name\n${'1\n'.repeat(50_000)}`,
      'text/csv',
      'All lines must have same number of fields',
    ],
    ['many columns', 'a,'.repeat(50_000), 'text/csv', 'Empty or invalid csv'],
  ])('is rejected with the same message: %s', async (_, text, type, message) => {
    await expect(open().readBody(job(text, type))).rejects.toMatchObject({
      status: 400,
      code: 'PGRST102',
      message,
    });
  });

  it('is rejected when it takes too long, and the next one is parsed', async () => {
    const clock = new FakeClock();
    const reader = open(clock);
    const slow = reader.readBody(job(rows));
    clock.advance(2_000);
    await expect(slow).rejects.toMatchObject({
      code: 'PGRST102',
      message: 'Parsing the body took more than 2 s',
      hint: 'Send fewer rows, or raise gateway.statementTimeout.',
    });
    expect(await reader.readBody(job(rows))).toMatchObject({ count: 5_001 });
  });

  it('is queued while others are being parsed', async () => {
    const reader = open();
    const all = await Promise.all(Array.from({ length: 5 }, () => reader.readBody(job(rows))));
    expect(all.map(({ count }) => count)).toEqual([5_001, 5_001, 5_001, 5_001, 5_001]);
  });
});

describe('keys of a body', () => {
  const many = `{${Array.from({ length: 1_601 }, (_, index) => `"k${index}":1`).join(',')}}`;

  it('are limited to the number of columns of a table', async () => {
    const reader = open();
    await expect(reader.readBody(job(many))).rejects.toMatchObject({
      message: 'An object has more than 1600 keys',
    });
    expect(await reader.readBody(job(many, 'application/json', ['k1']))).toMatchObject({ keys: ['k1'] });
    // A function may use the whole.
    expect(await reader.readCallBody(job(many))).toEqual({ mediaType: 'json', text: many });
  });

  it('are truncated when they are longer than any name', async () => {
    const { keys } = await open().readBody(job(`{"${'k'.repeat(100_000)}":1}`));
    expect(keys[0]).toHaveLength(999);
  });
});
