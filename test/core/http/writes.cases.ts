import { describe, expect, it } from 'vitest';
import type { GatewayTestContext, Reply, SentRequest } from './gateway-harness.ts';

/** How the bookshop can be written. */
export function defineWrites(scene: () => Promise<GatewayTestContext>): void {
  const ask = async (path: string, sent: SentRequest = {}): Promise<Reply> =>
    (await scene()).harness.ask(path, sent);
  const headersOf = ({ headers }: Reply, ...names: string[]) => names.map((name) => headers.get(name));

  describe('POST', () => {
    it('returns nothing of the row by default', async () => {
      const reply = await ask('/authors', { method: 'POST', body: { id: 3, name: 'Cy' } });
      expect([
        reply.status,
        reply.text,
        ...headersOf(reply, 'content-type', 'location', 'content-range'),
      ]).toEqual([201, '', null, null, '*/*']);
    });

    it('returns the row on request, with embeddings', async () => {
      const { harness } = await scene();
      const body = { title: 'Poems', author: 2, price: 1 };
      const reply = await harness.write('POST', '/books?select=title,copies,authors(name)', body);
      expect([reply.status, reply.body, reply.headers.get('preference-applied')]).toEqual([
        201,
        [{ title: 'Poems', copies: 1, authors: { name: 'Bo' } }],
        'return=representation',
      ]);
    });

    it('keeps every digit of numbers', async () => {
      const { harness } = await scene();
      const body =
        '{"title":"x","price":98765432109876543210.09876543210987654321,"copies":9223372036854775807}';
      const reply = await harness.write('POST', '/books?select=price,copies', body, {
        'content-type': 'application/json',
      });
      expect(reply.text.replaceAll(' ', '')).toBe(
        '[{"price":98765432109876543210.09876543210987654321,"copies":9223372036854775807}]',
      );
    });

    it('returns the location of the row, including composite keys', async () => {
      const reply = await ask('/shelf', {
        method: 'POST',
        body: { row_no: 1, col_no: 2 },
        headers: { prefer: 'return=headers-only, count=exact' },
      });
      expect(headersOf(reply, 'location', 'content-range', 'preference-applied')).toEqual([
        '/gateway/shelf?row_no=eq.1&col_no=eq.2',
        '*/1',
        'return=headers-only, count=exact',
      ]);
    });

    it('writes 3,000 rows at once', async () => {
      const body = Array.from({ length: 3000 }, (_, row) => ({ row_no: row, col_no: 0, note: `n ${row}` }));
      const reply = await ask('/shelf', { method: 'POST', body, headers: { prefer: 'count=exact' } });
      expect([reply.status, reply.headers.get('content-range')]).toEqual([201, '*/3000']);
    });

    it('writes all rows or none', async () => {
      const { harness } = await scene();
      const reply = await harness.write('POST', '/authors', [
        { id: 8, name: 'a' },
        { id: 8, name: 'b' },
      ]);
      expect(reply).toMatchObject({ status: 409, body: { code: '23505' } });
      expect((await ask('/authors?id=eq.8')).body).toEqual([]);
    });

    it.each([
      ['merge-duplicates', 'Ada L.', 201, ['Ada L.', 'New']],
      ['ignore-duplicates', 'Ada', 201, ['New']],
    ])('with %s', async (resolution, kept, status, names) => {
      const { harness } = await scene();
      const body = [
        { id: 1, name: 'Ada L.' },
        { id: 5, name: 'New' },
      ];
      const prefer = `return=representation, resolution=${resolution}`;
      const reply = await harness.write('POST', '/authors', body, { prefer });
      expect(reply.status).toBe(status);
      expect((reply.body as { name: string }[]).map(({ name }) => name).sort()).toEqual(names);
      expect(reply.headers.get('preference-applied')).toBe(`resolution=${resolution}, return=representation`);
      expect((await ask('/authors?id=eq.1&select=name')).body).toEqual([{ name: kept }]);
      const again = await harness.write('POST', '/authors', [{ id: 1, name: 'A' }], { prefer });
      expect(again.status).toBe(resolution === 'merge-duplicates' ? 200 : 201);
    });

    it('merges by another unique key, and rejects one without a key', async () => {
      const { harness } = await scene();
      const prefer = 'return=representation, resolution=merge-duplicates';
      const body = { title: 'Tales', copies: 44 };
      const reply = await harness.write('POST', '/books?on_conflict=title&select=id,copies', body, {
        prefer,
      });
      expect([reply.status, reply.body]).toEqual([200, [{ id: 2, copies: 44 }]]);
      const none = await harness.write('POST', '/log', { entry: 'x' }, { prefer });
      expect([none.status, none.headers.get('preference-applied')]).toEqual([201, 'return=representation']);
    });

    it('rejects two rows with the same key, and writes neither', async () => {
      const { harness } = await scene();
      const prefer = 'resolution=merge-duplicates';
      const body = [
        { id: 5, name: 'New' },
        { id: 5, name: 'Newer' },
      ];
      const reply = await harness.write('POST', '/authors', body, { prefer });
      expect([reply.status, (reply.body as { code: string }).code]).toEqual([400, '21000']);
      expect((await ask('/authors?id=eq.5')).body).toEqual([]);
    });

    it('writes a row of defaults, or none', async () => {
      const { harness } = await scene();
      const empty = await harness.write('POST', '/log', {});
      expect([empty.status, empty.body]).toEqual([201, [{ entry: null }]]);
      const none = await harness.write('POST', '/log', []);
      expect([none.status, none.body]).toEqual([201, []]);
    });

    it.each([
      ['{"id":', 'application/json', 'PGRST102'],
      ['', 'application/json', 'PGRST102'],
      ['[{"id":1},{"name":"x"}]', 'application/json', 'PGRST102'],
      ['{"id":1,"nom":"x"}', 'application/json', 'PGRST204'],
      ['id,name\n1\n', 'text/csv', 'PGRST102'],
      ['x', 'image/png', 'PGRST102'],
      ['{"id":1,"name":"\\u0000"}', 'application/json', '22P05'],
      ['{"id":1}', 'application/json', '23502'],
      ['{"id":"x","name":"x"}', 'application/json', '22P02'],
    ])('rejects %j as %s', async (body, type, code) => {
      const reply = await ask('/authors', { method: 'POST', body, headers: { 'content-type': type } });
      expect(reply).toMatchObject({ status: 400, body: { code } });
      expect(Object.keys(reply.body as object)).toEqual(['code', 'message', 'details', 'hint']);
      expect(reply.headers.get('proxy-status')).toBe(`Stepwright; error=${code}`);
    });
  });

  describe('PATCH', () => {
    it('changes the matching rows', async () => {
      const { harness } = await scene();
      const quiet = await ask('/books?author=eq.1', { method: 'PATCH', body: { copies: 0 } });
      expect([quiet.status, quiet.text, quiet.headers.get('content-range')]).toEqual([204, '', '0-1/*']);
      const reply = await harness.write(
        'PATCH',
        '/books?id=eq.3&select=copies',
        { copies: 8 },
        {
          prefer: 'return=representation, count=exact',
        },
      );
      expect([reply.status, reply.body, reply.headers.get('content-range')]).toEqual([
        200,
        [{ copies: 8 }],
        '0-0/1',
      ]);
      const none = await harness.write('PATCH', '/books?id=eq.9', { copies: 8 });
      expect([none.status, none.body, none.headers.get('content-range')]).toEqual([200, [], '*/*']);
    });

    it.each(['PATCH', 'DELETE'])('%s changes all rows only when allowed', async (method) => {
      const sent = { method, ...(method === 'PATCH' && { body: { copies: 0 } }) };
      const reply = await ask('/books', sent);
      expect(reply).toMatchObject({
        status: 400,
        body: { hint: expect.stringContaining('unfiltered=allow') },
      });
      const allowed = await ask('/books', { ...sent, headers: { prefer: 'unfiltered=allow' } });
      expect([allowed.status, allowed.headers.get('preference-applied')]).toEqual([204, 'unfiltered=allow']);
    });

    it('is rolled back when it exceeds the maximum number of rows', async () => {
      const prefer = 'handling=strict, max-affected=1';
      const sent = { method: 'PATCH', body: { copies: 0 }, headers: { prefer } };
      expect(await ask('/books?author=eq.1', sent)).toMatchObject({
        status: 400,
        body: { code: 'PGRST124', details: 'The query affects 2 rows' },
      });
      expect((await ask('/books?copies=eq.0')).body).toEqual([]);
      const one = await ask('/books?id=eq.1', sent);
      expect([one.status, one.headers.get('preference-applied')]).toEqual([
        204,
        'handling=strict, max-affected=1',
      ]);
    });

    it('is rolled back when it did not change exactly one row as requested', async () => {
      const { harness } = await scene();
      const headers = { accept: 'application/vnd.pgrst.object+json' };
      const reply = await harness.write('PATCH', '/books?author=eq.1', { copies: 0 }, headers);
      expect(reply).toMatchObject({ status: 406, body: { code: 'PGRST116' } });
      expect((await ask('/books?copies=eq.0')).body).toEqual([]);
    });
  });

  describe('PUT', () => {
    it('writes the row of its key', async () => {
      const { harness } = await scene();
      const row = { id: 7, name: 'Di', born: null };
      const made = await harness.write('PUT', '/authors?id=eq.7', row);
      expect([made.status, made.body]).toEqual([201, [row]]);
      const changed = await harness.write('PUT', '/authors?id=eq.7', { ...row, born: 1900 });
      expect([changed.status, changed.body]).toEqual([200, [{ ...row, born: 1900 }]]);
      const quiet = await ask('/authors?id=eq.7', { method: 'PUT', body: row });
      expect([quiet.status, quiet.text]).toEqual([204, '']);
    });

    it.each([
      ['?id=eq.7', { id: 8, name: 'x' }, 400, 'PGRST115'],
      ['?name=eq.x', { id: 7, name: 'x' }, 405, 'PGRST105'],
      ['?id=gt.7', { id: 7, name: 'x' }, 405, 'PGRST105'],
      ['?id=eq.7&limit=1', { id: 7, name: 'x' }, 400, 'PGRST114'],
    ])('rejects %s', async (query, body, status, code) => {
      expect(await ask(`/authors${query}`, { method: 'PUT', body })).toMatchObject({
        status,
        body: { code },
      });
      expect((await ask('/authors?id=gt.2')).body).toEqual([]);
    });
  });

  it('DELETE removes the matching rows', async () => {
    const { harness } = await scene();
    const reply = await harness.write('DELETE', '/books?author=is.null&select=title', undefined, {
      prefer: 'return=representation, count=exact',
    });
    expect([reply.status, reply.body, reply.headers.get('content-range')]).toEqual([
      200,
      [{ title: 'Songs' }],
      '*/1',
    ]);
    const refused = await ask('/authors?id=eq.1', { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 409, body: { code: '23503' } });
  });
}
