import { expect, test } from 'vitest';
import { buildOpenApi } from '../../../core/contract/openapi.ts';
import { sendBytes, serve } from '../../harness/server.ts';

const { paths } = buildOpenApi('1.2.3') as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

/** The methods of a path in the document; GET implies HEAD. */
const documented = (path: string): string =>
  Object.keys(paths[path]!)
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .sort()
    .join(', ');

/** One that Fastify supports, two that only Node.js knows, and an unknown one. */
const unknownMethods = ['OPTIONS', 'PROPFIND', 'QUERY', 'FROBNICATE'];

test.each(unknownMethods)('rejects %s at each documented path, with the allowed methods', async (method) => {
  await using served = await serve();
  for (const path of Object.keys(paths)) {
    const url = path.replaceAll(/\{\w+\}/g, '1');
    const reply = await sendBytes(
      served.port,
      `${method} ${url}?a=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const allow = /^allow: (.*)\r$/im.exec(reply)?.[1];
    expect([path, reply.slice(0, 12), allow]).toEqual([path, 'HTTP/1.1 405', documented(path)]);
    expect(reply).toContain('"code":"method_not_allowed"');
  }
});

test('rejects a method before reading the body, whatever that is', async () => {
  await using served = await serve();
  const send = (path: string) =>
    served.fetch(path, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: '{' });
  const refused = await send('/api/v2/dags');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect((await send('/api/v2/nothing')).status).toBe(404);
});
