import { describe, expect, it } from 'vitest';
import type { GatewayTestContext, Reply, SentRequest } from './gateway-harness.ts';

/** How the bookshop can be read. */
export function defineReads(scene: () => Promise<GatewayTestContext>): void {
  const ask = async (path: string, sent: SentRequest = {}): Promise<Reply> =>
    (await scene()).harness.ask(path, sent);
  const headersOf = ({ headers }: Reply, ...names: string[]) => names.map((name) => headers.get(name));

  describe('GET', () => {
    it('keeps every digit of numbers', async () => {
      const { text } = await ask('/books?select=price,copies&id=eq.1');
      expect(text.replaceAll(' ', '')).toBe(
        '[{"price":12345678901234567890.12345678901234567890,"copies":9007199254740993}]',
      );
    });

    it('returns rows as JSON, with range and location', async () => {
      const reply = await ask('/books?select=id&order=id.desc&limit=2');
      expect([reply.status, reply.body]).toEqual([200, [{ id: 3 }, { id: 2 }]]);
      expect(headersOf(reply, 'content-type', 'content-range', 'content-location')).toEqual([
        'application/json; charset=utf-8',
        '0-1/*',
        '/gateway/books?limit=2&order=id.desc&select=id',
      ]);
    });

    it.each([
      ['?limit=2', {}, 206, '0-1/3'],
      ['?offset=1', {}, 206, '1-2/3'],
      ['', {}, 200, '0-2/3'],
      ['?id=gt.9', {}, 200, '*/0'],
      ['', { range: '1-1' }, 206, '1-1/3'],
      ['', { range: '0-' }, 200, '0-2/3'],
      ['?limit=0', {}, 206, '*/3'],
    ])('counts %s %o', async (query, headers, status, range) => {
      const reply = await ask(`/books${query}`, { headers: { prefer: 'count=exact', ...headers } });
      expect([reply.status, ...headersOf(reply, 'content-range', 'preference-applied')]).toEqual([
        status,
        range,
        'count=exact',
      ]);
    });

    it('estimates counts', async () => {
      for (const count of ['planned', 'estimated']) {
        const reply = await ask('/books?limit=1', { headers: { prefer: `count=${count}` } });
        expect([200, 206]).toContain(reply.status);
        expect(headersOf(reply, 'content-range', 'preference-applied')).toEqual([
          expect.stringMatching(/^0-0\/\d+$/),
          `count=${count}`,
        ]);
      }
    });

    it.each([
      ['?offset=9', {}, '*/3'],
      ['', { range: '9-10' }, '*/3'],
      ['?limit=-1', {}, null],
      ['', { range: '5-2' }, null],
    ])('has no such rows: %s %o', async (query, headers, range) => {
      const reply = await ask(`/books${query}`, { headers: { prefer: 'count=exact', ...headers } });
      expect(reply).toMatchObject({ status: 416, body: { code: 'PGRST103' } });
      expect(reply.headers.get('content-range')).toBe(range);
    });

    it('returns one row as an object, and rejects any other number of rows', async () => {
      const headers = { accept: 'application/vnd.pgrst.object+json' };
      const one = await ask('/authors?id=eq.2', { headers });
      expect([one.status, one.body]).toEqual([200, { id: 2, name: 'Bo', born: null }]);
      expect(one.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8');
      const stripped = await ask('/authors?id=eq.2', {
        headers: { accept: `${headers.accept};nulls=stripped` },
      });
      expect(stripped.body).toEqual({ id: 2, name: 'Bo' });
      const two = await ask('/authors', { headers });
      expect(two).toMatchObject({
        status: 406,
        body: { code: 'PGRST116', details: 'The result contains 2 rows' },
      });
      expect(two.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect((await ask('/authors?id=eq.9', { headers })).status).toBe(406);
    });

    it('returns CSV', async () => {
      const reply = await ask('/authors?order=id', { headers: { accept: 'text/csv' } });
      expect([reply.status, reply.text.trimEnd()]).toEqual([200, 'id,name,born\n1,Ada,1815\n2,Bo,']);
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    });

    it('embeds, filters and orders at every level', async () => {
      const path = '/authors?select=name,books(title)&books.order=title.desc&books.limit=1&order=id';
      expect((await ask(path)).body).toEqual([
        { name: 'Ada', books: [{ title: 'Tales' }] },
        { name: 'Bo', books: [] },
      ]);
      expect(
        (await ask('/books?select=title,authors!inner(name)&authors.born=eq.1815&order=title')).body,
      ).toEqual([
        { title: 'Notes', authors: { name: 'Ada' } },
        { title: 'Tales', authors: { name: 'Ada' } },
      ]);
    });

    it('selects within JSON, casts and arrays', async () => {
      expect((await ask('/books?select=n:data->a->b->1,copies::text&data->a->b->>0=eq.1')).body).toEqual([
        { n: 2, copies: '9007199254740993' },
      ]);
      expect((await ask('/books?select=id&tags=cs.{y}&order=id')).body).toEqual([{ id: 1 }, { id: 2 }]);
    });

    it('reads unusual names', async () => {
      const reply = await ask(`/${encodeURIComponent('odd "table"')}?%22a.b%22=eq.1&select=%22a.b%22,select`);
      expect([reply.status, reply.body]).toEqual([200, [{ 'a.b': 1, select: 'one' }]]);
      expect(reply.headers.get('content-location')).toMatch(/^\/gateway\/odd%20%22table%22\?/);
    });
  });

  it('HEAD responds like GET, without the rows', async () => {
    const reply = await ask('/books?limit=1', { method: 'HEAD', headers: { prefer: 'count=exact' } });
    expect([reply.status, reply.text, ...headersOf(reply, 'content-range', 'content-type')]).toEqual([
      206,
      '',
      '0-0/3',
      'application/json; charset=utf-8',
    ]);
    expect((await ask('/nothing', { method: 'HEAD' })).status).toBe(404);
  });

  it.each([
    ['/books', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['/log', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/titles', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['/rpc/add', 'OPTIONS,GET,HEAD,POST'],
    ['/rpc/forget', 'OPTIONS,POST'],
    ['/', 'OPTIONS,GET,HEAD'],
  ])('OPTIONS %s lists what is allowed', async (path, allow) => {
    const reply = await ask(path, { method: 'OPTIONS' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([200, allow]);
  });
}
