import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { GatewayError } from '../../../../core/gateway/gateway-error.ts';
import { readBody, readCallBody } from '../../../../core/gateway/query/read-body.ts';
import {
  chooseFormat,
  parsePreferences,
  intersectRange,
  parseRange,
} from '../../../../core/gateway/query/headers.ts';
import { parseQuery } from '../../../../core/gateway/query/parse-query.ts';
import { Cursor } from '../../../../core/gateway/query/cursor.ts';
import { anyQuery, anyText, printQuery } from './any-query.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const SEED = 20_261_122;

/** The status of an error, 200 without one; other exceptions pass through. */
function statusOf(call: () => unknown): number {
  try {
    call();
    return 200;
  } catch (error) {
    if (error instanceof GatewayError) return error.status;
    throw error;
  }
}

/** All statuses that any text can result in. */
const deserved = [200, 400, 406, 416];

describe('any query', () => {
  it('is the same when it is serialized and parsed', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(parseQuery(printQuery(query))).toEqual(query);
      }),
      { seed: SEED, numRuns: propertyRuns(1_000) },
    );
  });
});

describe('any text', () => {
  it('is parsed as a query, or rejected', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, isCall) => {
        expect(deserved).toContain(statusOf(() => parseQuery(text, { isCall })));
      }),
      { seed: SEED, numRuns: propertyRuns(5_000) },
    );
  });

  it('is parsed as a header, or rejected', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(deserved).toContain(
          statusOf(() => parsePreferences(text, { allowsTxOverride: true, isTimezone: () => false })),
        );
        expect(deserved).toContain(statusOf(() => chooseFormat(text)));
        expect(deserved).toContain(statusOf(() => chooseFormat(text, 'description')));
        expect(deserved).toContain(
          statusOf(() => intersectRange({ path: [], conditions: [], order: [] }, parseRange(text))),
        );
      }),
      { seed: SEED, numRuns: propertyRuns(1_000) },
    );
  });

  it.each(['application/json', 'text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'a/b'])(
    'is parsed as a body of %s, or rejected',
    (type) => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.oneof(fc.json(), anyText).map((text) => new TextEncoder().encode(text)),
      );
      fc.assert(
        fc.property(bytes, (body) => {
          expect(deserved).toContain(statusOf(() => readBody(body, type)));
          expect(deserved).toContain(statusOf(() => readBody(body, type, ['a'])));
          expect(deserved).toContain(statusOf(() => readCallBody(body, type)));
        }),
        { seed: SEED, numRuns: propertyRuns(1_000) },
      );
    },
  );
});

describe('any JSON body', () => {
  it('yields the keys of its objects', () => {
    const records = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 5 }));
    fc.assert(
      fc.property(records, fc.constantFrom('', '\t', '  '), (values, indent) => {
        const uniform = values.map((value) => ({ ...values[0], ...value }));
        const same = uniform.filter((each) => Object.keys(each).length === Object.keys(uniform[0]!).length);
        const body = readBody(new TextEncoder().encode(JSON.stringify(same, null, indent)), undefined);
        expect(body.count).toBe(same.length);
        expect(body.keys).toEqual(Object.keys(same[0] ?? {}).map((key) => key.toWellFormed()));
      }),
      { seed: SEED },
    );
  });
});

describe('parse time', () => {
  /** Number of times a character is read. */
  function countReads(text: string): number {
    const code = vi.spyOn(Cursor.prototype, 'code');
    try {
      statusOf(() => parseQuery(text));
      return code.mock.calls.length;
    } finally {
      code.mockRestore();
    }
  }

  it.each([
    ['quotes that end nothing', 'a=in.(', '"x,"x,'],
    ['unclosed quotes', 'a=in.(', '"\\",'],
    ['escapes', 'a=in.(', '"\\\\'],
    ['open braces', 'or=(', 'a.cs.{,'],
    ['open groups', 'or=', '(or'],
    ['open resources', 'select=', 'a('],
    ['names with dashes', 'select=', 'a-'],
    ['arrows', 'select=a', '->b'],
    ['blanks', 'or=(', '   and   '],
    ['blanks in lists', 'a=in.(', '       '],
    ['arrays', 'a=eq(any).{', '"a",\\b,'],
    ['columns', 'select=', '"a":b::int,'],
    ['orders', 'order=', 'a.desc,'],
    ['names', 'columns=', 'abc,'],
  ])('is at most linear: %s', (_, start, piece) => {
    const short = start + piece.repeat(300);
    const long = start + piece.repeat(3_000);
    const perCharacter = countReads(long) / long.length;
    expect(perCharacter).toBeLessThanOrEqual(Math.max(16, 1.5 * (countReads(short) / short.length)));
  });
});
