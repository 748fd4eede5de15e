import { describe, expect, it } from 'vitest';
import {
  appliedPreferencesHeader,
  formatContentRange,
  getRangeStatus,
  canonicalQuery,
  toPath,
  getKeyQuery,
  findMismatch,
  readMainRow,
  toOutcome,
  readSqlHeaders,
  readSqlStatus,
} from '../../../../core/gateway/service/response.ts';
import { setStatement } from '../../../../core/store/sql/database.ts';
import { getSettings } from '../../../../core/gateway/service/gateway.ts';
import { findTarget } from '../../../../core/gateway/service/parse-request.ts';

describe('range', () => {
  it.each([
    [{ offset: 0, shown: 15 }, '0-14/*', 200],
    [{ offset: 3, shown: 2, total: 15 }, '3-4/15', 206],
    [{ offset: 0, shown: 15, total: 15 }, '0-14/15', 200],
    [{ offset: 0, shown: 0 }, '*/*', 200],
    [{ offset: 0, shown: 0, total: 0 }, '*/0', 200],
    [{ offset: 15, shown: 0, total: 15 }, '*/15', 206],
  ])('%o is reported as %s', (range, told, status) => {
    expect([formatContentRange(range), getRangeStatus(range)]).toEqual([told, status]);
  });

  it('beyond the last row is rejected with the number of rows', () => {
    expect(() => getRangeStatus({ offset: 16, shown: 0, total: 15 })).toThrow(
      expect.objectContaining({ status: 416, code: 'PGRST103', headers: { 'content-range': '*/15' } }),
    );
  });
});

describe('location', () => {
  it.each([
    [{ id: '7' }, 'id=eq.7'],
    [{ id: 'a+b/c==', other: null }, 'id=eq.a%2Bb/c%3D%3D&other=is.null'],
    [{ order: '1', on_conflict: '2' }, '%22order%22=eq.1&%22on_conflict%22=eq.2'],
    [{ 'a.b': 'x&y', 'say "so"': '' }, '%22a.b%22=eq.x%26y&%22say%20%5C%22so%5C%22%22=eq.'],
  ])('of the key %o is %s', (key, query) => {
    expect(getKeyQuery(key)).toBe(query);
  });

  it('is the same for equal requests', () => {
    expect(canonicalQuery('select=a,b&order=a&id=eq.1%2B1&a+b=1')).toBe(
      'a%20b=1&id=eq.1%2B1&order=a&select=a,b',
    );
    expect(toPath('/flows/gateway', ['my table/x'])).toBe('/flows/gateway/my%20table%2Fx');
  });
});

describe('path', () => {
  it.each([
    ['GET', [], { kind: 'root' }],
    ['GET', [''], { kind: 'root' }],
    ['DELETE', ['rpc'], { kind: 'relation', name: 'rpc' }],
    ['POST', ['rpc', 'add'], { kind: 'routine', name: 'add' }],
  ])('resolves: %s %o', (method, path, target) => {
    expect(findTarget(method, path)).toEqual(target);
  });

  it.each([
    ['GET', ['a', 'b'], 404, 'PGRST125'],
    ['GET', ['rpc', ''], 404, 'PGRST125'],
    ['GET', ['rpc', 'a', 'b'], 404, 'PGRST125'],
    ['DELETE', ['rpc', 'a'], 405, 'PGRST101'],
    ['TRACE', ['a'], 405, 'PGRST117'],
    ['POST', [], 405, 'PGRST117'],
  ])('is rejected: %s %o', (method, path, status, code) => {
    expect(() => findTarget(method, path)).toThrow(expect.objectContaining({ status, code }));
  });
});

describe('response settings of SQL', () => {
  it('sends all values of a header', () => {
    expect(readSqlHeaders('[{"X-A":"1"},{"x-a":"2"},{"X-B":""}]')).toEqual({ 'x-a': ['1', '2'], 'x-b': '' });
    expect([readSqlHeaders(null), readSqlHeaders('')]).toEqual([{}, {}]);
    expect([readSqlStatus('204'), readSqlStatus(null), readSqlStatus('')]).toEqual([
      204,
      undefined,
      undefined,
    ]);
  });

  it.each([
    'x',
    'null',
    '{"a":"b"}',
    '[{}]',
    '[{"a":"b","c":"d"}]',
    '[{"a b":"c"}]',
    '[{"a":"\\n"}]',
    '[["a","b"]]',
  ])('rejects invalid headers: %s', (text) => {
    expect(() => readSqlHeaders(text)).toThrow(expect.objectContaining({ status: 500, code: 'PGRST111' }));
  });

  it.each(['0', '100', '600', '2e2', ' 200'])('rejects an invalid status: %s', (text) => {
    expect(() => readSqlStatus(text)).toThrow(expect.objectContaining({ status: 500, code: 'PGRST112' }));
  });
});

describe('result', () => {
  const columns = ['body', 'shown', 'total', 'inserted', 'key', 'headers', 'status'];

  it('is read by the names of its columns', () => {
    const row = ['[]', '2', '9', '1', '{"id":"x"}', '[{"A":"b"}]', '202'];
    const result = { columns: columns.toReversed(), rows: [row.toReversed()], affected: 1 };
    expect(toOutcome(readMainRow(result)!)).toEqual({
      body: '[]',
      shown: 2,
      total: 9,
      inserted: 1,
      key: { id: 'x' },
      headers: { a: 'b' },
      status: 202,
    });
  });

  it('is missing when a broken engine returns no row', () => {
    expect(readMainRow({ columns, rows: [], affected: 0 })).toBeUndefined();
  });

  it.each([
    [1, { isSingular: true, isPut: true, maxAffected: 1 }, undefined],
    [2, { isSingular: true, isPut: false }, 'PGRST116'],
    [0, { isSingular: true, isPut: false }, 'PGRST116'],
    [0, { isSingular: false, isPut: true }, 'PGRST115'],
    [2, { isSingular: false, isPut: false, maxAffected: 1 }, 'PGRST124'],
    [2, { isSingular: false, isPut: false }, undefined],
  ])('of %i rows is compared with what is expected: %o', (shown, expected, code) => {
    expect(findMismatch(shown, expected)?.code).toBe(code);
  });
});

describe('preferences', () => {
  it('are reported in order, if they were applied', () => {
    const given = {
      return: 'minimal',
      count: 'exact',
      handling: 'strict',
      maxAffected: 3,
      resolution: 'merge-duplicates',
    } as const;
    expect(appliedPreferencesHeader('insert', given, ['resolution'])).toEqual({
      'preference-applied': 'return=minimal, count=exact, handling=strict',
    });
    expect(appliedPreferencesHeader('delete', given, [])).toEqual({
      'preference-applied': 'return=minimal, count=exact, handling=strict, max-affected=3',
    });
    expect(appliedPreferencesHeader('read', { return: 'minimal' }, [])).toEqual({});
  });
});

describe('transaction settings', () => {
  it('are values of one statement', () => {
    const set = getSettings({
      request: {
        method: 'GET',
        path: ['rpc', `a'; DROP TABLE x; --`],
        query: '',
        headers: { cookie: 'a=1; b="x=y"; c', 'x-nul': '\0' },
        body: new Uint8Array(),
        isLoopback: true,
        mount: '/gateway',
      },
      requester: { role: `r'`, claims: '{"role":"r"}', isAuthenticated: true },
      searchPath: ['odd "schema"', 'public'],
      timezone: 'Asia/Tokyo',
    });
    const { text, values } = setStatement(set);
    expect(text.match(/set_config\(E'[a-z_.]+', \$\d+, true\)/g)).toHaveLength(8);
    expect(text).not.toContain('DROP');
    expect(values).toEqual(set.map(([, value]) => value));
    const settings = Object.fromEntries(set);
    expect(settings).toMatchObject({
      search_path: '"odd ""schema""", "public"',
      'request.path': `/rpc/a'; DROP TABLE x; --`,
      role: `r'`,
      timezone: 'Asia/Tokyo',
    });
    expect(JSON.parse(settings['request.cookies']!)).toEqual({ a: '1', b: '"x=y"' });
    expect(settings['request.headers']).toBe('{"x-nul":""}');
    // After a change of role, other settings may not be allowed.
    expect(set.at(-1)).toEqual(['role', `r'`]);
  });
});
