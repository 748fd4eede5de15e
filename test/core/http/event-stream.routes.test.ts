import { connect, type Socket } from 'node:net';
import { onTestFinished, expect, test, vi } from 'vitest';
import { startStream } from '../../../core/api/create-api.ts';
import { followEvents, followRunEvents } from '../../../core/api/follow-events.ts';
import { heartbeatMs } from '../../../core/contract/transport.ts';
import { maxBurstBytes, maxUnreadHeartbeats } from '../../../core/http/event-stream.ts';
import type { StreamInput } from '../../../core/contract/operations.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { EventHub } from '../../../core/run/event-hub.ts';
import { FakeClock, silentLogger } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';
import { createOwnedRun, openTestStore } from '../store/store-harness.ts';
import { FakeApi, serve } from '../../harness/server.ts';

const note = (message: string): RunEvent => ({ type: 'run.message', level: 'info', message });
const finished: RunEvent = { type: 'run.finished', status: 'succeeded', outputs: {} };

/** Streams of a real store and hub, without the rest of an engine. */
class EventsApi extends FakeApi {
  readonly store = openTestStore();
  readonly clock = new FakeClock();
  readonly hub = new EventHub(this.store, this.clock, silentLogger);

  override follow: FakeApi['follow'] = (name, input, observer) => {
    type Input = Parameters<typeof followRunEvents>[1];
    const told = observer as Parameters<typeof followEvents>[2];
    return startStream(
      () =>
        name === 'events.followRun'
          ? followRunEvents(this, input as Input, told)
          : followEvents(this, input as StreamInput<'events.follow'>, told),
      told,
    );
  };
}

async function serveEvents() {
  const api = new EventsApi();
  const served = await serve({ api, clock: api.clock });
  onTestFinished(async () => {
    await served.server.close();
    api.hub.close();
  });
  /** A client that is just a socket. */
  const open = (path: string, headers: readonly string[] = []): RawReader => {
    const lines = [`GET /api/v2${path} HTTP/1.1`, `Host: 127.0.0.1:${served.port}`, ...headers];
    return new RawReader(served.port, `${lines.join('\r\n')}\r\n\r\n`);
  };
  return { api, store: api.store, open };
}

/** Everything that a connection has received so far. */
class RawReader {
  readonly socket: Socket;
  text = '';
  isOver = false;

  constructor(port: number, request: string) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    this.socket.on('end', () => (this.isOver = true)).on('error', () => {});
    this.socket.write(request);
    onTestFinished(() => void this.socket.destroy());
  }

  /** Ids of the items so far. */
  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent: message$/gm)].map(([, id]) => Number(id));
  }

  get isOpen(): boolean {
    return this.text.includes(': open');
  }
}

test('streams a run to its end, from where the reader left off', async () => {
  const { api, open, store } = await serveEvents();
  const run = await createOwnedRun(store);
  const path = `/dag-runs/${run.run.name}/${run.run.dagRunId}/events`;
  const begin = await store.lastEventId();
  const live = open(path);
  await until(() => live.isOpen);
  await run.write([note('one')]);
  await (await createOwnedRun(store)).write([note('of another run')]);
  api.hub.pump();
  await until(() => live.ids.length === 1);
  live.socket.destroy();
  await run.write([note('unseen'), finished]);
  api.hub.pump();
  const resumed = open(path, [`Last-Event-ID: ${live.ids[0]}`]);
  await until(() => resumed.isOver);
  expect(resumed.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(resumed.ids.length).toBe(2);
  expect(resumed.text).toContain('"message":"unseen"');
  expect(resumed.text).toMatch(/event: end\ndata: {}\n\n/);
  const whole = open(`/dag-runs/${run.run.name}/latest/events?after=${begin - 1}`);
  await until(() => whole.text.includes('of another run'));
  const missing = open('/dag-runs/nothing/latest/events');
  await until(() => missing.text.includes('"code":"not_found"'));
  expect(missing.text).toMatch(/^HTTP\/1\.1 404 /);
});

test('a stream without any items yet resumes without a gap', async () => {
  const { api, open, store } = await serveEvents();
  const run = await createOwnedRun(store);
  const first = open('/events');
  await until(() => /id: \d+\n\n/.test(first.text));
  const place = /^id: (\d+)\n\n/m.exec(first.text)![1]!;
  first.socket.destroy();
  await run.write([note('meanwhile')]);
  api.hub.pump();
  const second = open('/events', [`Last-Event-ID: ${place}`]);
  await until(() => second.ids.length > 0);
  expect(second.text).toContain('meanwhile');
});

test('200 clients share the work: the store is read once, and each gets everything', async () => {
  const { api, open, store } = await serveEvents();
  const run = await createOwnedRun(store);
  const other = await createOwnedRun(store, { name: 'other' });
  const readers = Array.from({ length: 200 }, (_, index) =>
    open(index % 2 === 0 ? '/events' : '/events?name=other'),
  );
  await until(() => readers.every(({ isOpen }) => isOpen));
  const read = vi.spyOn(store, 'listEvents');
  const last = await store.lastEventId();
  for (let count = 0; count < 25; count += 1) {
    await run.write([note(`a ${count}`)]);
    await other.write([note(`b ${count}`)]);
  }
  api.hub.pump();
  expect(read).toHaveBeenCalledOnce();
  const all = Array.from({ length: 50 }, (_, index) => last + 1 + index);
  const ofOther = all.filter((_, index) => index % 2 === 1);
  await until(() => readers.every(({ ids }, index) => ids.length === (index % 2 === 0 ? 50 : 25)));
  expect(readers[0]!.ids).toEqual(all);
  expect(readers[1]!.ids).toEqual(ofOther);
});

test('sends history as it is read, of any size, and disconnects a reader that stops', async () => {
  const { api, open, store } = await serveEvents();
  const run = await createOwnedRun(store);
  const text = 'x'.repeat(20_000);
  for (let count = 0; count < 20; count += 1) await run.write(Array.from({ length: 50 }, () => note(text)));
  // 20 MB, several times the maximum backlog of a reader.
  expect(1000 * text.length).toBeGreaterThan(4 * maxBurstBytes);
  const reader = open('/events?after=0');
  const stopped = open('/events?after=0');
  stopped.socket.pause();
  await until(async () => reader.ids.length >= (await store.lastEventId()));
  expect(reader.text.includes('too_many_requests')).toBe(false);
  // A minute in which nothing was read.
  api.clock.advance((maxUnreadHeartbeats + 1) * heartbeatMs);
  stopped.socket.resume();
  await until(() => stopped.isOver);
  expect(stopped.text.slice(-500)).toContain('event: error\ndata: {"code":"too_many_requests"');
  expect(stopped.ids.length).toBeLessThan(1000);
  expect(reader.isOver).toBe(false);
});
