import { describe, expect, it } from 'vitest';
import { intersectRange, parseRange } from '../../../../core/gateway/query/headers.ts';
import { thrownBy } from '../thrown-by.ts';

const level = { path: [], conditions: [], order: [] };

describe('Range', () => {
  it.each([
    ['0-24', { first: 0, last: 24 }],
    ['10-', { first: 10 }],
    [' 3-3 ', { first: 3, last: 3 }],
    ['bytes=0-10', undefined],
    ['-5', undefined],
    ['a-b', undefined],
    ['9999999999999999999999-', undefined],
    [undefined, undefined],
  ])('%s', (header, range) => {
    expect(parseRange(header)).toEqual(range);
  });

  it.each([
    ['alone', {}, '5-9', { offset: 5, limit: 5 }],
    ['open', {}, '5-', { offset: 5 }],
    ['within a limit', { limit: 20 }, '5-9', { offset: 5, limit: 5 }],
    ['beyond a limit', { limit: 7 }, '5-9', { offset: 5, limit: 2 }],
    ['with an offset', { offset: 6, limit: 2 }, '0-9', { offset: 6, limit: 2 }],
    ['open, with a limit', { limit: 7 }, '5-', { offset: 5, limit: 2 }],
    ['with no rows at all', { limit: 0 }, '5-9', { offset: 5, limit: 0 }],
  ])('is intersected with limit and offset: %s', (_, page, header, expected) => {
    expect(intersectRange({ ...level, ...page }, parseRange(header))).toEqual({ ...level, ...expected });
  });

  it('changes nothing when it is missing', () => {
    const same = { ...level, limit: 3 };
    expect(intersectRange(same, undefined)).toBe(same);
  });

  it.each([
    ['backwards', {}, '9-5'],
    ['outside of the limit', { limit: 3 }, '5-9'],
    ['outside of the offset', { offset: 20 }, '5-9'],
  ])('rejects a range %s', (_, page, header) => {
    const error = thrownBy(() => intersectRange({ ...level, ...page }, parseRange(header)));
    expect(error).toMatchObject({ status: 416, code: 'PGRST103' });
  });
});
