import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { closeGraceMs } from '../../../core/http/server.ts';
import { EventReader, serve } from '../../harness/server.ts';

test('reports its URL', async () => {
  await using served = await serve();
  expect(served.server.url).toBe(`http://127.0.0.1:${served.port}`);
  await using named = await serve({ host: 'localhost' });
  expect(named.server.url).toBe(`http://localhost:${named.port}`);
  expect((await named.fetch('/api/v2/health')).status).toBe(200);
  await using everywhere = await serve({ host: '0.0.0.0', allowRemote: true });
  expect(everywhere.server.url).toBe(`http://127.0.0.1:${everywhere.port}`);
  expect((await everywhere.fetch('/api/v2/health')).status).toBe(200);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'engine.example'])('rejects listening on %s', async (host) => {
  await expect(serve({ host })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(`^Refusing to listen on ${host}: .* --allow-remote\\.$`),
  });
});

test('reports a port in use with advice', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(serve({ port })).rejects.toMatchObject({
    code: 'unavailable',
    message: `Port ${port} on 127.0.0.1 is already in use. Choose another port with --port.`,
  });
  other.close();
});

test('rejects an address of another machine', async () => {
  await expect(serve({ host: '192.0.2.1', allowRemote: true })).rejects.toMatchObject({
    code: 'bad_request',
  });
});

test('close ends streams with a reason and waits for requests in progress', async () => {
  const served = await serve();
  const reader = new EventReader(await served.fetch('/api/v2/events'));
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  served.api.answer = () => {
    started.resolve();
    return answer.promise;
  };
  const inProgress = served.fetch('/api/v2/dags');
  await started.promise;
  const closing = served.server.close();
  expect(await reader.nextEvent()).toMatchObject({
    event: 'error',
    data: expect.stringContaining('"unavailable"'),
  });
  expect(served.api.streams[0]!.disposed).toBe(1);
  let closed = false;
  void closing.then(() => (closed = true));
  await new Promise(setImmediate);
  expect(closed).toBe(false);
  answer.resolve({ dags: [] });
  expect(await (await inProgress).json()).toEqual({ dags: [] });
  await closing;
  expect(served.clock.pending).toBe(0);
  await expect(served.fetch('/api/v2/dags')).rejects.toThrow('fetch failed');
  await served.server.close();
});

test('an endless request does not block the shutdown forever', async () => {
  const served = await serve();
  const started = Promise.withResolvers<void>();
  served.api.answer = () => {
    started.resolve();
    return new Promise(() => {});
  };
  const inProgress = served.fetch('/api/v2/dags');
  const outcome = inProgress.then(
    () => 'answered',
    () => 'cut',
  );
  await started.promise;
  const closing = served.server.close();
  served.clock.advance(closeGraceMs);
  await closing;
  expect(await outcome).toBe('cut');
});

test('an idle connection does not block the shutdown', async () => {
  const served = await serve();
  const silent = connect(served.port, '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  await served.fetch('/api/v2/health');
  const cut = once(silent, 'close');
  await served.server.close();
  await cut;
  expect(silent.destroyed).toBe(true);
});
