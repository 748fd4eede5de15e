import { describe, expect, it } from 'vitest';
import type { GatewayTestContext, Reply, SentRequest } from './gateway-harness.ts';

/** Functions of the bookshop, what is missing, and what settings allow. */
export function defineCallAndErrorCases(scene: () => Promise<GatewayTestContext>): void {
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
