import { describe, expect, it, beforeEach } from 'vitest';
import {
  type GatewayTestContext,
  type Reply,
  type SentRequest,
  seedBooks,
  bookshopSchema,
  describeOnGateways,
} from './gateway-harness.ts';
import { defineWrites } from './writes.cases.ts';

/** How the bookshop can be read. */
function defineReads(scene: () => Promise<GatewayTestContext>): void {
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

/** Functions of the bookshop, what is missing, and what settings allow. */
function defineCallAndErrorCases(scene: () => Promise<GatewayTestContext>): void {
  const ask = async (path: string, sent: SentRequest = {}): Promise<Reply> =>
    (await scene()).harness.ask(path, sent);

  describe('functions', () => {
    it('are called by GET and by POST', async () => {
      expect((await ask('/rpc/add?a=2&b=3')).text).toBe('5');
      expect((await ask('/rpc/add', { method: 'POST', body: { a: 2 } })).text).toBe('3');
      expect((await ask('/rpc/take', { method: 'POST', body: [1, { a: 1 }] })).body).toEqual([1, { a: 1 }]);
    });

    it('that return rows are selected, filtered and embedded', async () => {
      const path = '/rpc/cheap?most=10&select=title,authors(name)&copies=lt.3&order=title';
      expect((await ask(path)).body).toEqual([{ title: 'Tales', authors: { name: 'Ada' } }]);
    });

    it('that return nothing have an empty response', async () => {
      const reply = await ask('/rpc/forget', { method: 'POST', body: {} });
      expect([reply.status, reply.text]).toEqual([204, '']);
    });

    it('that are read-only cannot write', async () => {
      for (const method of ['GET', 'POST']) {
        const reply = await ask('/rpc/sneak', { method, ...(method === 'POST' && { body: {} }) });
        expect(reply).toMatchObject({ status: 405, body: { code: '25006' } });
      }
      expect((await ask('/log')).body).toEqual([]);
    });

    it.each([
      ['/rpc/ad', 'GET', 404, 'PGRST202'],
      ['/rpc/add?c=1', 'GET', 404, 'PGRST202'],
      ['/rpc/add', 'PUT', 405, 'PGRST101'],
      ['/rpc/forget', 'GET', 405, '25006'],
    ])('%s by %s is rejected', async (path, method, status, code) => {
      const hint: unknown = expect.any(String);
      expect(await ask(path, { method })).toMatchObject({ status, body: { code, hint } });
    });
  });

  describe('what does not exist', () => {
    it.each([
      ['/bookz', 404, 'PGRST205'],
      ['/books/1', 404, 'PGRST125'],
      ['/books/', 404, 'PGRST125'],
      ['/things', 404, 'PGRST205'],
      ['/books?nothing=eq.1', 400, '42703'],
      ['/books?select=nothing', 400, '42703'],
      ['/books?select=id::nothing', 400, '42704'],
      ['/books?select=nothing(*)', 400, 'PGRST200'],
      ['/books?id=1', 400, 'PGRST100'],
      ['/books?id=eq.x', 400, '22P02'],
      ['/books?authors.id=eq.1', 400, 'PGRST108'],
      ['/books?select=id.sum()', 400, 'PGRST123'],
      ['/books?title=eq.%00', 400, 'PGRST100'],
      ['/books?title=eq.%ff', 400, 'PGRST100'],
      ['/books%00', 404, 'PGRST205'],
    ])('is rejected: %s', async (path, status, code) => {
      expect(await ask(path)).toMatchObject({ status, body: { code } });
    });

    it('is rejected with the nearest name', async () => {
      expect((await ask('/bookz')).body).toMatchObject({
        hint: "Perhaps you meant the table 'public.books'",
      });
    });

    it('is rejected with the setting when its schema exposes nothing', async () => {
      const harness = await (await scene()).build({ schemas: ['nowhere'] });
      expect((await harness.ask('/books')).body).toMatchObject({
        code: 'PGRST205',
        hint: expect.stringContaining(
          "The schema 'nowhere' has no readable tables: create a table and reload the schema cache, or fix gateway.schemas.",
        ) as unknown,
      });
    });

    it('is rejected with a hint: methods and media types', async () => {
      const hint: unknown = expect.any(String);
      expect(await ask('/', { method: 'POST' })).toMatchObject({
        status: 405,
        body: { code: 'PGRST117', hint },
      });
      expect(await ask('/books', { headers: { accept: 'image/png' } })).toMatchObject({
        status: 406,
        body: { code: 'PGRST107', hint },
      });
      const prefer = 'handling=strict, nonsense=1';
      expect(await ask('/books', { headers: { prefer } })).toMatchObject({
        status: 400,
        body: { code: 'PGRST122', hint },
      });
    });
  });

  describe('several schemas', () => {
    it('are selected by profile', async () => {
      const { build } = await scene();
      const harness = await build({ schemas: ['public', 'other'] });
      const reply = await harness.ask('/things', { headers: { 'accept-profile': 'other' } });
      expect([reply.status, reply.body, reply.headers.get('content-profile')]).toEqual([
        200,
        [{ id: 7 }],
        'other',
      ]);
      expect((await harness.ask('/books?limit=0')).headers.get('content-profile')).toBe('public');
      const written = await harness.write(
        'POST',
        '/things',
        { id: 8 },
        {
          'content-profile': 'other',
          prefer: 'return=representation',
        },
      );
      expect([written.status, written.body]).toEqual([201, [{ id: 8 }]]);
      expect(await harness.ask('/things')).toMatchObject({ status: 404 });
      expect(await harness.ask('/pg_class', { headers: { 'accept-profile': 'pg_catalog' } })).toMatchObject({
        status: 406,
        body: { code: 'PGRST106' },
      });
    });
  });

  it('have a description at the root', async () => {
    const reply = await ask('/');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    expect(reply.body).toMatchObject({
      swagger: '2.0',
      basePath: '/gateway',
      paths: { '/books': expect.anything(), '/rpc/add': expect.anything() },
    });
  });

  describe('limits and permissions of the settings', () => {
    it('cap the rows of a response', async () => {
      const harness = await (await scene()).build({ maxRows: 2 });
      expect((await harness.ask('/books?order=id&select=id')).body).toEqual([{ id: 1 }, { id: 2 }]);
    });

    it('allow aggregates, and writes that affect every row', async () => {
      const harness = await (await scene()).build({ allowsAggregates: true, allowsUnfiltered: true });
      expect((await harness.ask('/books?select=count()')).body).toEqual([{ count: 3 }]);
      expect((await harness.ask('/books', { method: 'PATCH', body: { copies: 1 } })).status).toBe(204);
    });

    it('allow dry runs of writes', async () => {
      const harness = await (await scene()).build({ allowsTxOverride: true });
      const prefer = 'return=representation, tx=rollback';
      const reply = await harness.write('POST', '/authors?select=name', { id: 9, name: 'Eve' }, { prefer });
      expect([reply.status, reply.body, reply.headers.get('preference-applied')]).toEqual([
        201,
        [{ name: 'Eve' }],
        'return=representation, tx=rollback',
      ]);
      expect((await harness.ask('/authors?id=eq.9')).body).toEqual([]);
    });

    it('allow neither by default', async () => {
      const { harness } = await scene();
      const prefer = 'return=representation, tx=rollback';
      const reply = await harness.write('POST', '/authors', { id: 9, name: 'Eve' }, { prefer });
      expect(reply.headers.get('preference-applied')).toBe('return=representation');
      expect((await ask('/authors?id=eq.9&select=name')).body).toEqual([{ name: 'Eve' }]);
    });
  });
}

// In one file, which opens each database once.
describeOnGateways('operations', bookshopSchema, (scene) => {
  beforeEach(async () => {
    const { under } = await scene();
    await under.database.runScript(seedBooks);
  });
  defineReads(scene);
  defineWrites(scene);
  defineCallAndErrorCases(scene);
});
