import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchText, ParamSchema } from '../../../../core/run/params/param-schema.ts';
import { UnreadableTextError } from '../../../../core/run/values/files.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { listenOnLoopback } from '../../../harness/servers/ports.ts';

/**
 * Serves on the loopback until the test ends.
 * @returns the server's URL
 */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${port}`;
}

const fetchFrom = (address: string, clock = new FakeClock()): Promise<string> =>
  fetchText(address, 1024, clock);

describe('fetching text from a URL', () => {
  test('follows redirects', async () => {
    const address = await serve((request, reply) => {
      if (request.url === '/a') reply.writeHead(302, { location: '/b' }).end();
      else reply.end('{"ä": 1}');
    });
    const clock = new FakeClock();
    expect(await fetchFrom(`${address}/a`, clock)).toBe('{"ä": 1}');
    expect(clock.pending).toBe(0);
  });

  test.each<[string, RequestListener, string]>([
    ['is rejected', (_, reply) => reply.writeHead(404).end(), 'returned status 404. Check the URL'],
    [
      'redirects to another scheme',
      (_, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'redirects to file://, which is not supported. Fix the URL',
    ],
    [
      'redirects in circles',
      (_, reply) => reply.writeHead(302, { location: '/' }).end(),
      'redirects more than 5 times. Fix the URL',
    ],
    [
      'never ends',
      (_, reply) => {
        const more = (): boolean => reply.write('x'.repeat(1000)) && more();
        reply.on('drain', more);
        more();
      },
      'is larger than 1024 bytes. Use a smaller file',
    ],
    [
      'is too large',
      (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
      'is larger than 1024 bytes. Use a smaller file',
    ],
    [
      'is not text',
      (_, reply) => reply.end(Buffer.from([0xff])),
      'is not valid UTF-8. Save it in UTF-8 encoding',
    ],
  ])('fails when the response %s', async (_name, listener, message) => {
    const address = await serve(listener);
    await expect(fetchFrom(address)).rejects.toThrow(new UnreadableTextError(message));
  });

  test('times out after 10 seconds', async () => {
    const clock = new FakeClock();
    let asked = (): void => {};
    const arrival = new Promise<void>((resolve) => (asked = resolve));
    const address = await serve((_, reply) => {
      reply.writeHead(200).write('{');
      asked();
    });
    void arrival.then(() => clock.advance(10_000));
    await expect(fetchFrom(address, clock)).rejects.toThrow(
      'did not respond within 10 seconds. Try again later',
    );
  });

  test('fails when the server does not listen', async () => {
    await expect(fetchFrom('http://127.0.0.1:1')).rejects.toThrow(
      /^cannot be fetched: .+\. Check the URL and the/,
    );
  });
});

describe('schema at a URL', () => {
  const apply = async (schema: string) => {
    const paths = { processDir: '/', workingDir: undefined, fileDir: '/' };
    const opened = await ParamSchema.open({ schema, paths, clock: new FakeClock() });
    return opened.apply([]);
  };

  test('fills in parameters', async () => {
    const address = await serve((_, reply) => reply.end('{"properties": {"a": {"default": 1}}}'));
    expect(await apply(`${address}/s.json`)).toEqual([{ name: 'a', value: '1' }]);
  });

  test('that is missing is named without a password', async () => {
    const address = await serve((_, reply) => reply.writeHead(404).end());
    await expect(apply(`${address}/s.json`)).rejects.toMatchObject({
      code: 'invalid_spec',
      message: `Parameter schema ${address}/s.json returned status 404. Check the URL, or fix "params.schema".`,
    });
    await expect(apply(`${address.replace('//', '//me:hidden@')}/s.json`)).rejects.toThrow(
      `Parameter schema ${address}/s.json contains credentials, which are not allowed. Remove them, or`,
    );
  });

  test('that is invalid is rejected', async () => {
    await expect(apply('http://')).rejects.toMatchObject({ code: 'invalid_spec' });
  });
});
