import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../../core/webhooks/receiving/read-request.ts';

/** A payload of so many nested containers, alternating lists and maps. */
function nested(levels: number): Buffer {
  let text = '0';
  for (let level = levels; level > 1; level -= 1) text = level % 2 === 0 ? `[1,${text}]` : `{"b":${text}}`;
  return Buffer.from(`{"a":${text}}`);
}

describe('payload', () => {
  test('is parsed with 128 levels of lists and maps', () => {
    expect(readPayload(nested(128), 'application/json')).toHaveProperty('payload');
  });

  test('can start with a byte order mark', () => {
    const body = Buffer.from('\uFEFF{"a":1}');
    expect(readPayload(body, 'application/json')).toMatchObject({ payload: { a: 1 } });
  });

  test('is rejected with more values and keys than the limit', () => {
    const body = Buffer.from(`{"a":[${'{},'.repeat(200_000)}1]}`);
    expect(readPayload(body, 'application/json')).toEqual({
      problem: 'content',
      reason: 'The payload has more than 200000 values and keys.',
    });
    const long = Buffer.from(JSON.stringify({ text: '{,:['.repeat(100_000) }));
    expect(readPayload(long, 'application/json')).toHaveProperty('payload');
  });

  test.each([129, 60_000])('is rejected with %i levels', (levels) => {
    expect(readPayload(nested(levels), 'application/json')).toEqual({
      problem: 'content',
      reason: 'The payload is nested more than 128 levels deep.',
    });
  });
});
