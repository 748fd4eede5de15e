import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { heartbeatMs } from '../../../core/contract/transport.ts';
import {
  maxBurstBytes,
  closeDelayMs,
  graceMs,
  maxUnreadHeartbeats,
  maxBacklogBytes,
} from '../../../core/http/event-stream.ts';
import { EventReader, type ServedApi, serve } from '../../harness/server.ts';
import { waitUntilPasses } from '../../harness/resources.ts';

const item = (id: number, padding = '') => ({
  id,
  name: 'etl',
  dagRunId: 'r1',
  at: '2026-01-01T00:00:00Z',
  event: { type: 'run-started', padding },
});

test('sends each item with its id, and ends cleanly', async () => {
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

test('resumes after Last-Event-ID, which wins over the query', async () => {
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

test('a stream whose items have no id ignores Last-Event-ID', async () => {
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

test('an immediate error is a plain response with its status', async () => {
  await using served = await serve();
  served.api.streamError = { code: 'not_found', message: 'Run not found.' };
  const response = await served.fetch('/api/v2/events?name=none');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ code: 'not_found', message: 'Run not found.' });
  expect(served.api.streams[0]!.disposed).toBe(1);
  expect(served.clock.pending).toBe(0);
});

test('a later error is an error event', async () => {
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

test('sends heartbeat comments on a silent stream', async () => {
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

test('a client that disconnects closes its stream once, and later items are dropped', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const abort = new AbortController();
  await served.fetch('/api/v2/events', { signal: abort.signal });
  const stream = await following;
  abort.abort();
  await waitUntilPasses(() => expect(stream.disposed).toBe(1));
  stream.observer.item(item(1));
  stream.observer.end();
  expect(stream.disposed).toBe(1);
  expect(served.clock.pending).toBe(0);
});

/** A reader of a stream that reads on demand. */
async function openSlowReader(served: ServedApi) {
  const following = served.api.nextStream();
  const socket = connect(served.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /api/v2/events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
  const stream = await following;
  await once(socket, 'readable');
  return { socket, stream };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads everything available, and returns the end of it. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text = (text + chunk).slice(-4000)));
  await once(socket, 'end');
  return text;
}

test('disconnects a slow reader with a notice; memory stays bounded', async () => {
  await using served = await serve();
  const { socket, stream } = await openSlowReader(served);
  const padding = 'x'.repeat(65_536);
  const before = process.memoryUsage().arrayBuffers;
  let sent = 0;
  while (stream.disposed === 0 && sent < 4000) {
    sent += 1;
    stream.observer.item(item(sent, padding));
    await turn();
  }
  expect(stream.disposed).toBe(1);
  expect(sent * padding.length).toBeGreaterThan(maxBacklogBytes);
  // What is sent to a disconnected reader is dropped: 128 MiB of it.
  for (let more = 0; more < 2000; more += 1) stream.observer.item(item(more, padding));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * maxBurstBytes);
  expect(await readToEnd(socket)).toMatch(/event: error\ndata: \{"code":"too_many_requests"/);
});

test('allows a second to read a burst', async () => {
  await using served = await serve();
  const { socket, stream } = await openSlowReader(served);
  const size = 30_000;
  let sent = 0;
  const send = async (count: number): Promise<void> => {
    for (let more = 0; more < count; more += 1) {
      sent += 1;
      stream.observer.item(item(sent, 'x'.repeat(size)));
    }
    await turn();
    await turn();
  };
  // The operating system buffers a lot, some of it after a moment.
  const isStuck = async (): Promise<boolean> => {
    for (let look = 0; look < 20; look += 1) {
      if (stream.observer.drained?.() === undefined) return false;
      await turn();
    }
    return true;
  };
  // From then on enough is buffered to start the timeout, and less than the limit.
  const fill = async (): Promise<void> => {
    while (!(await isStuck())) await send(1);
    await send((1.5 * maxBacklogBytes) / size);
  };
  await fill();
  let read = 0;
  socket.on('data', (chunk) => (read += chunk.length));
  await waitUntilPasses(() => expect(read).toBeGreaterThan(sent * size));
  served.clock.advance(graceMs);
  expect(stream.disposed).toBe(0);
  socket.pause();
  await fill();
  expect(stream.disposed).toBe(0);
  served.clock.advance(graceMs);
  expect(stream.disposed).toBe(1);
});

test('a single item can exceed the buffer limit', async () => {
  await using served = await serve();
  const { socket, stream } = await openSlowReader(served);
  stream.observer.item(item(1, 'x'.repeat(2 * maxBurstBytes)));
  let read = 0;
  socket.on('data', (chunk) => (read += chunk.length));
  await waitUntilPasses(() => expect(read).toBeGreaterThan(2 * maxBurstBytes));
  expect(stream.disposed).toBe(0);
});

test('disconnects a reader that reads nothing at all, however little is buffered', async () => {
  await using served = await serve();
  const { stream } = await openSlowReader(served);
  const waits = (): boolean => stream.observer.drained?.() !== undefined;
  // Until the operating system's buffer is full.
  for (let sent = 1; !waits(); sent += 1) {
    stream.observer.item(item(sent, 'x'.repeat(20_000)));
    await turn();
    await turn();
  }
  served.clock.advance(heartbeatMs * maxUnreadHeartbeats);
  expect(stream.disposed).toBe(0);
  served.clock.advance(heartbeatMs);
  expect(stream.disposed).toBe(1);
});

test('encodes items for 200 readers once', async () => {
  await using served = await serve();
  const readers = [];
  for (let count = 0; count < 200; count += 1) {
    const following = served.api.nextStream();
    const response = served.fetch('/api/v2/events');
    readers.push({ stream: await following, reader: new EventReader(await response) });
  }
  const told = item(1);
  const encode = vi.spyOn(JSON, 'stringify');
  for (const { stream } of readers) stream.observer.item(told);
  expect(encode.mock.calls.filter(([value]) => value === told)).toHaveLength(1);
  const received = await Promise.all(readers.map(({ reader }) => reader.nextEvent()));
  expect(new Set(received.map((event) => event?.data))).toEqual(new Set([JSON.stringify(told)]));
  await Promise.all(readers.map(({ reader }) => reader.cancel()));
});

test('sends the cursor before the first item', async () => {
  await using served = await serve();
  const following = served.api.nextStream();
  const response = served.fetch('/api/v2/events');
  const stream = await following;
  stream.observer.position?.(41);
  const reader = new EventReader(await response);
  expect(await reader.next()).toMatchObject({ event: ':', data: 'open' });
  expect(await reader.next()).toMatchObject({ id: '41', data: '' });
  stream.observer.position?.(45);
  expect(await reader.next()).toMatchObject({ id: '45', data: '' });
  await reader.cancel();
});

test('closes the connection of a disconnected reader that does not read', async () => {
  await using served = await serve();
  const { stream } = await openSlowReader(served);
  const padding = 'x'.repeat(1_048_576);
  for (let sent = 1; stream.disposed === 0 && sent < 400; sent += 1)
    stream.observer.item(item(sent, padding));
  expect(served.clock.pending).toBe(1);
  served.clock.advance(closeDelayMs);
  await waitUntilPasses(() => expect(served.clock.pending).toBe(0));
});

test('HEAD returns the type without following', async () => {
  await using served = await serve();
  const response = await served.fetch('/api/v2/events', { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect(served.api.streams).toEqual([]);
});
