import { describe, expect, test } from 'vitest';
import {
  addFilter,
  toPath,
  formatCurl,
  readHeaders,
} from '../../../../renderer/features/gateway/request-draft.ts';

describe('a path', () => {
  test.each([
    [{ column: 'name', operator: 'eq', value: 'Ann' }, '/people?name=eq.Ann'],
    [{ column: 'a b', operator: 'eq', value: 'x&y=#+z' }, '/people?%22a%20b%22=eq.x%26y%3D%23%2Bz'],
    [{ column: 'a.b', operator: 'gt', value: '1' }, '/people?%22a.b%22=gt.1'],
    [{ column: 'order', operator: 'eq', value: '1' }, '/people?%22order%22=eq.1'],
    [{ column: 'id', operator: 'in', value: '1,2' }, '/people?id=in.(1,2)'],
    [{ column: 'id', operator: 'in', value: '(1,2)' }, '/people?id=in.(1,2)'],
    [{ column: 'name', operator: 'like', value: 'A*' }, '/people?name=like.A*'],
  ])('has the filter %j', (filter, path) => {
    expect(addFilter('/people', filter)).toBe(path);
  });

  test('has several filters', () => {
    expect(addFilter('/p?select=a', { column: 'b', operator: 'gt', value: '1' })).toBe('/p?select=a&b=gt.1');
    expect(toPath('odd / table')).toBe('/odd%20%2F%20table');
  });
});

describe('headers', () => {
  test('are parsed line by line', () => {
    expect(readHeaders('Accept: text/csv\n\n Prefer:count=exact ')).toEqual({
      isRead: true,
      headers: { Accept: 'text/csv', Prefer: 'count=exact' },
    });
    expect(readHeaders('Prefer: count=exact\nprefer: return=minimal')).toEqual({
      isRead: true,
      headers: { Prefer: 'count=exact, return=minimal' },
    });
    expect(readHeaders('')).toEqual({ isRead: true, headers: {} });
  });

  test.each(['nothing', ': empty', 'a b: c'])('rejects %j', (line) => {
    expect(readHeaders(`Accept: text/csv\n${line}`)).toEqual({ isRead: false, invalidLine: line });
  });
});

describe('a command to copy', () => {
  const address = 'http://127.0.0.1:8080/gateway';

  test('reads', () => {
    expect(
      formatCurl({ method: 'GET', path: '/p?name=eq.Ann', headers: { Accept: 'text/csv' } }, address),
    ).toBe(`curl -sS 'http://127.0.0.1:8080/gateway/p?name=eq.Ann' \\\n  -H 'Accept: text/csv'`);
    expect(formatCurl({ method: 'HEAD', path: '/p' }, address)).toContain('curl -sS --head ');
    const typed = formatCurl(
      { method: 'POST', path: '/p', headers: { 'content-type': 'text/csv' }, body: 'a' },
      address,
    );
    expect(typed).not.toContain('application/json');
    expect(formatCurl({ method: 'GET', path: 'p' }, address)).toBe(`curl -sS '${address}/p'`);
  });

  test('quotes special characters of shells and URLs', () => {
    const body = `{"name": "O'Hara $HOME"}`;
    expect(formatCurl({ method: 'POST', path: `/p?n=eq.it's ü"`, body }, address)).toBe(
      `curl -sS -X POST 'http://127.0.0.1:8080/gateway/p?n=eq.it'\\''s%20%C3%BC%22' \\\n` +
        `  -H 'Content-Type: application/json' \\\n  --data-binary '{"name": "O'\\''Hara $HOME"}'`,
    );
  });
});
