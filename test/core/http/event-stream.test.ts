import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { heartbeatMs } from '../../../core/contract/transport/http-wire.ts';
import { farewellMs, maximumBacklog } from '../../../core/http/event-stream.ts';
import { EventReader } from './event-reader.ts';
import { serve } from './serve.ts';

const item = (id: number, padding = '') => ({
  id,
  name: 'etl',
  dagRunId: 'r1',
  at: '2026-01-01T00:00:00Z',
  event: { type: 'run-started', padding },
});

test('sends each item with its id, and ends in order', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const response = await served.fetch('/api/v2/events?name=etl');
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const stream = await following;
  expect(stream).toMatchObject({ name: 'events.follow', input: { name: 'etl' } });
  const reader = new EventReader(response);
  stream.observer.item(item(7));
  expect(await reader.nextEvent()).toEqual({ event: 'message', id: '7', data: JSON.stringify(item(7)) });
  stream.observer.end();
  expect(await reader.nextEvent()).toEqual({ event: 'end', id: undefined, data: '{}' });
  expect(await reader.nextEvent()).toBeUndefined();
  expect(stream.disposed).toBe(1);
});

test('resumes after Last-Event-ID, which wins over the address', async () => {
  await using served = await serve();
  const abort = new AbortController();
  await served.fetch('/api/v2/events?after=3', { headers: { 'last-event-id': '12' }, signal: abort.signal });
  await served.fetch('/api/v2/events?after=3', { signal: abort.signal });
  expect(served.api.streams.map(({ input }) => input)).toEqual([{ after: 12 }, { after: 3 }]);
  const refused = await served.fetch('/api/v2/events', { headers: { 'last-event-id': 'soon' } });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code: 'bad_request', details: { field: 'Last-Event-ID' } });
  abort.abort();
});

test('a stream whose items have no id takes no Last-Event-ID', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const response = await served.fetch('/api/v2/dag-runs/etl/r1/steps/load/log/follow', {
    headers: { 'last-event-id': '12' },
  });
  const stream = await following;
  expect(stream).toMatchObject({ name: 'logs.follow', input: { name: 'etl', dagRunId: 'r1', step: 'load' } });
  const reader = new EventReader(response);
  stream.observer.item({ size: 5, totalLines: 1, complete: false });
  expect(await reader.nextEvent()).toMatchObject({ event: 'message', id: undefined });
  await reader.cancel();
});

test('a refusal known at once is a plain reply with its status', async () => {
  await using served = await serve();
  served.api.refusal = { code: 'not_found', message: 'There is no such run.' };
  const response = await served.fetch('/api/v2/events?name=none');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ code: 'not_found', message: 'There is no such run.' });
  expect(served.api.streams[0]!.disposed).toBe(1);
  expect(served.clock.pending).toBe(0);
});

test('a refusal that comes later is an error event', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const reader = new EventReader(await served.fetch('/api/v2/events'));
  const stream = await following;
  stream.observer.end({ code: 'too_many_requests', message: 'Slow down.' });
  expect(await reader.nextEvent()).toEqual({
    event: 'error',
    id: undefined,
    data: '{"code":"too_many_requests","message":"Slow down."}',
  });
  expect(await reader.nextEvent()).toBeUndefined();
});

test('a heartbeat comment shows that a silent stream lives', async () => {
  await using served = await serve();
  const reader = new EventReader(await served.fetch('/api/v2/events'));
  expect(await reader.next()).toMatchObject({ event: ':', data: 'open' });
  served.clock.advance(heartbeatMs - 1);
  served.clock.advance(1);
  expect(await reader.next()).toMatchObject({ event: ':', data: 'heartbeat' });
  served.clock.advance(2 * heartbeatMs);
  expect(await reader.next()).toMatchObject({ event: ':', data: 'heartbeat' });
  expect(await reader.next()).toMatchObject({ event: ':', data: 'heartbeat' });
  await reader.cancel();
});

test('a client that leaves releases its stream once, and later items go nowhere', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const abort = new AbortController();
  await served.fetch('/api/v2/events', { signal: abort.signal });
  const stream = await following;
  abort.abort();
  await vi.waitFor(() => expect(stream.disposed).toBe(1));
  stream.observer.item(item(1));
  stream.observer.end();
  expect(stream.disposed).toBe(1);
  expect(served.clock.pending).toBe(0);
});

test('a reader that does not keep up is told so and cut off; memory stays bounded', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`GET /api/v2/events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
  const stream = await following;
  await once(socket, 'readable');
  const padding = 'x'.repeat(65_536);
  let sent = 0;
  while (stream.disposed === 0 && sent < 4000) {
    sent += 1;
    stream.observer.item(item(sent, padding));
    await new Promise(setImmediate);
  }
  expect(stream.disposed).toBe(1);
  expect(sent * padding.length).toBeGreaterThan(maximumBacklog);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text = (text + chunk).slice(-4000)));
  await once(socket, 'end');
  expect(text).toMatch(/event: error\ndata: \{"code":"too_many_requests"/);
  socket.destroy();
});

test('a cut-off reader that reads nothing more is disconnected', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const socket = connect(served.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET /api/v2/events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
  const stream = await following;
  await once(socket, 'readable');
  const padding = 'x'.repeat(1_048_576);
  for (let sent = 1; stream.disposed === 0 && sent < 400; sent += 1)
    stream.observer.item(item(sent, padding));
  expect(served.clock.pending).toBe(1);
  served.clock.advance(farewellMs);
  await vi.waitFor(() => expect(served.clock.pending).toBe(0));
  socket.destroy();
});

test('HEAD tells the type without following', async () => {
  await using served = await serve();
  const response = await served.fetch('/api/v2/events', { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect(served.api.streams).toEqual([]);
});
