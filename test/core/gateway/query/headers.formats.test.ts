import { describe, expect, it } from 'vitest';
import { chooseFormat, getContentType } from '../../../../core/gateway/query/headers.ts';
import { thrownBy } from '../thrown-by.ts';

describe('Accept', () => {
  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['Application/JSON; charset=utf-8', 'application/json; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['image/png, text/csv, application/json', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['text/csv;q=0, application/json;q=0.1', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json; charset=utf-8'],
    ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
    [
      'application/vnd.pgrst.object+json;nulls=stripped',
      'application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8',
    ],
    [
      'application/vnd.pgrst.array+json; nulls=stripped',
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    ],
    ['application/vnd.pgrst.array+json', 'application/json; charset=utf-8'],
  ])('of rows: %s', (accept, contentType) => {
    expect(getContentType(chooseFormat(accept))).toBe(contentType);
  });

  it.each([undefined, '*/*', 'application/json', 'application/openapi+json'])('of the root: %s', (accept) => {
    expect(getContentType(chooseFormat(accept, 'description'))).toBe(
      'application/openapi+json; charset=utf-8',
    );
  });

  it.each(['text/html', 'application/vnd.pgrst.plan', 'nonsense', '*/*;q=0', 'application/openapi+json'])(
    'is rejected without a supported type: %s',
    (accept) => {
      expect(thrownBy(() => chooseFormat(accept))).toMatchObject({
        status: 406,
        code: 'PGRST107',
        message: `None of these media types are available: ${accept}`,
      });
    },
  );
});
