import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { followEvents, followRunEvents } from '../../../core/api/follow-events.ts';
import { AppError } from '../../../core/base/errors.ts';
import type { StreamInput } from '../../../core/contract/operations.ts';
import { EventHub } from '../../../core/run/event-hub.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { until } from '../../harness/resources.ts';
import { createOwnedRun, openTestStore, owner } from '../store/store-harness.ts';

const note = (message: string): RunEvent => ({ type: 'run.message', level: 'info', message });
const notes = (count: number, prefix: string): RunEvent[] =>
  Array.from({ length: count }, (_, index) => note(`${prefix}${index}`));

async function setUp() {
  const store = openTestStore();
  const clock = new FakeClock();
  const logger = { info() {}, warn() {}, error() {} };
  const hub = new EventHub(store, clock, logger);
  const follow = (input: StreamInput<'events.follow'>) => {
    const ids: number[] = [];
    const dispose = followEvents({ store, clock, hub }, input, {
      item: ({ id }) => ids.push(id),
      end: () => {},
    });
    return { ids, dispose };
  };
  return { store, hub, clock, follow, run: await createOwnedRun(store) };
}

const upTo = (last: number, after = 0): number[] =>
  Array.from({ length: last - after }, (_, index) => after + index + 1);

describe('following events', () => {
  test('sends stored events after the cursor, then live events, without gaps or duplicates', async () => {
    const { store, hub, follow, run } = await setUp();
    await run.write(notes(1300, 'old '));
    const { ids } = follow({ after: 0 });
    await tick();
    // While the client catches up page by page, more happens.
    for (let index = 0; index < 20; index += 1) {
      await run.write(notes(30, 'new '));
      hub.pump();
      await tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(async () => ids.length >= (await store.lastEventId()));
    expect(ids).toEqual(upTo(await store.lastEventId()));
  });

  test('resumes where a client left off', async () => {
    const { store, hub, follow, run } = await setUp();
    const seen: number[] = [];
    for (let visit = 0; visit < 5; visit += 1) {
      await run.write(notes(40, 'away '));
      const { ids, dispose } = follow({ after: seen.at(-1) ?? 0 });
      await tick();
      await run.write(notes(7, 'there '));
      hub.pump();
      await tick();
      (await dispose)();
      await run.write(notes(3, 'later '));
      hub.pump();
      await tick();
      seen.push(...ids);
    }
    expect(seen).toEqual(upTo((await store.lastEventId()) - 3));
  });

  test('sends an event once if the client read it from the store before the hub reported it', async () => {
    const { store, hub, follow, run } = await setUp();
    follow({});
    await tick();
    await run.write(notes(3, 'committed '));
    const { ids } = follow({ after: 0 });
    await tick();
    hub.pump();
    await tick();
    expect(ids).toEqual(upTo(await store.lastEventId()));
  });

  test('without a cursor sends only new events', async () => {
    const { store, hub, follow, run } = await setUp();
    await run.write(notes(3, 'old '));
    const last = await store.lastEventId();
    const { ids } = follow({});
    await tick();
    await run.write(notes(2, 'new '));
    hub.pump();
    await tick();
    expect(ids).toEqual([last + 1, last + 2]);
  });

  test('after an event that this home does not have yet continues from the newest', async () => {
    const { store, hub, follow, run } = await setUp();
    const last = await store.lastEventId();
    const { ids } = follow({ after: 1_000_000 });
    await tick();
    await run.write(notes(1, 'new '));
    hub.pump();
    await tick();
    expect(ids).toEqual([last + 1]);
  });

  test('of one DAG or one run omits others', async () => {
    const { store, hub, follow } = await setUp();
    const [one, two] = [
      await createOwnedRun(store, { name: 'x' }),
      await createOwnedRun(store, { name: 'x' }),
    ];
    const other = await createOwnedRun(store, { name: 'y' });
    const begin = await store.lastEventId();
    const streams = [
      follow({ name: 'x', after: begin }),
      follow({ name: 'x', dagRunId: two.run.dagRunId, after: begin }),
      follow({ dagRunId: other.run.dagRunId, after: begin }),
    ];
    await tick();
    for (const { write } of [one, two, other]) await write(notes(1, ''));
    hub.pump();
    await tick();
    expect(streams.map(({ ids }) => ids.map((id) => id - begin))).toEqual([[1, 2], [2], [3]]);
  });

  test('sends a cursor before the first event, and for filtered events', async () => {
    const { store, hub, clock, run } = await setUp();
    const places: number[] = [];
    const ids: number[] = [];
    const observer = {
      item: ({ id }: { id: number }) => ids.push(id),
      end: () => {},
      position: (id: number) => places.push(id),
    };
    await followEvents({ store, clock, hub }, { name: run.run.name }, observer);
    expect(places).toEqual([await store.lastEventId()]);
    const other = await createOwnedRun(store, { name: 'other' });
    await other.write(notes(900, ''));
    await run.write(notes(1, ''));
    const last = await store.lastEventId();
    places.length = 0;
    await followEvents({ store, clock, hub }, { name: 'other', after: 0 }, observer);
    await until(() => places.includes(last));
    expect(ids).not.toContain(last);
  });

  test('sends history as the client reads it, and live events after it', async () => {
    const { store, hub, clock, run } = await setUp();
    await run.write(notes(450, 'old '));
    const ids: number[] = [];
    let take = (): void => {};
    await followEvents(
      { store, clock, hub },
      { after: 0 },
      {
        item: ({ id }) => ids.push(id),
        end: () => {},
        drained: () =>
          ids.length % 100 === 0 ? new Promise<void>((resolve) => (take = resolve)) : undefined,
      },
    );
    await until(() => ids.length === 100);
    await run.write(notes(10, 'new '));
    hub.pump();
    await tick();
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ids).toEqual(upTo(100));
    for (let taken = 200; taken <= 400; taken += 100) {
      take();
      await until(() => ids.length === taken);
    }
    take();
    await until(async () => ids.length >= (await store.lastEventId()));
    expect(ids).toEqual(upTo(await store.lastEventId()));
  });

  test('ends the stream with the reason when the store fails', async () => {
    const { store, hub, clock } = await setUp();
    const broken = {
      ...store,
      lastEventId: () => Promise.resolve(0),
      listEvents: () => Promise.reject(new AppError('database_corrupt', 'The database is damaged.')),
    };
    const end = new Promise((resolve) => {
      void followEvents({ store: broken, clock, hub }, { after: 0 }, { item() {}, end: resolve });
    });
    expect(await end).toEqual({ code: 'database_corrupt', message: 'The database is damaged.' });
  });
});

describe('following one run', () => {
  const follow = (
    { store, hub, clock }: Pick<Awaited<ReturnType<typeof setUp>>, 'store' | 'hub' | 'clock'>,
    input: StreamInput<'events.followRun'>,
  ) => {
    const told: string[] = [];
    void followRunEvents({ store, clock, hub }, input, {
      item: ({ event }) => told.push(event.type),
      end: (error) => told.push(error === undefined ? 'END' : error.code),
    });
    return told;
  };
  const finished: RunEvent = { type: 'run.finished', status: 'succeeded', outputs: {} };

  test('ends with the run', async () => {
    const parts = await setUp();
    const { run, hub } = parts;
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    const live = follow(parts, address);
    const latest = follow(parts, { ...address, dagRunId: 'latest', after: 0 });
    await tick();
    const before = latest.length;
    expect(before).toBeGreaterThan(0);
    await run.write([note('busy'), finished]);
    hub.pump();
    await tick();
    expect(live).toEqual(['run.message', 'run.finished', 'END']);
    expect(latest.slice(before)).toEqual(['run.message', 'run.finished', 'END']);
  });

  test('sends the history of an ended run and ends at once', async () => {
    const parts = await setUp();
    const { run, store, hub } = parts;
    await run.write([finished]);
    hub.pump();
    await tick();
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    const [all, last] = [
      follow(parts, address),
      follow(parts, { ...address, after: (await store.lastEventId()) - 1 }),
    ];
    await tick();
    expect({ all, last }).toEqual({ all: ['END'], last: ['run.finished', 'END'] });
  });

  test('continues past an end after which the run was retried', async () => {
    const parts = await setUp();
    const { run, store, hub, clock } = parts;
    await run.write([finished]);
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    await store.reopenRun(
      { runKey: run.run.key, epoch: run.epoch, owner, by: 'ann', steps: [], maxActiveRuns: -1 },
      clock.now(),
    );
    const told = follow(parts, { ...address, after: 0 });
    await tick();
    hub.pump();
    await tick();
    expect(told.slice(-2)).toEqual(['run.finished', 'run.retried']);
  });

  test('rejects an unknown run', async () => {
    const parts = await setUp();
    const following = followRunEvents(parts, { name: 'none', dagRunId: 'latest' }, { item() {}, end() {} });
    await expect(following).rejects.toThrow('"none" has no runs yet.');
  });
});
