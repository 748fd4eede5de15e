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

function setUp() {
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
  return { store, hub, clock, follow, run: createOwnedRun(store) };
}

const upTo = (last: number, after = 0): number[] =>
  Array.from({ length: last - after }, (_, index) => after + index + 1);

describe('following events', () => {
  test('sends stored events after the cursor, then live events, without gaps or duplicates', async () => {
    const { store, hub, follow, run } = setUp();
    run.write(notes(1300, 'old '));
    const { ids } = follow({ after: 0 });
    // While the client catches up page by page, more happens.
    for (let index = 0; index < 20; index += 1) {
      run.write(notes(30, 'new '));
      hub.pump();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => ids.length >= store.lastEventId());
    expect(ids).toEqual(upTo(store.lastEventId()));
  });

  test('resumes where a client left off', async () => {
    const { store, hub, follow, run } = setUp();
    const seen: number[] = [];
    for (let visit = 0; visit < 5; visit += 1) {
      run.write(notes(40, 'away '));
      const { ids, dispose } = follow({ after: seen.at(-1) ?? 0 });
      run.write(notes(7, 'there '));
      hub.pump();
      dispose();
      run.write(notes(3, 'gone '));
      hub.pump();
      seen.push(...ids);
    }
    expect(seen).toEqual(upTo(store.lastEventId() - 3));
  });

  test('sends an event once if the client read it from the store before the hub reported it', () => {
    const { store, hub, follow, run } = setUp();
    follow({});
    run.write(notes(3, 'committed '));
    const { ids } = follow({ after: 0 });
    hub.pump();
    expect(ids).toEqual(upTo(store.lastEventId()));
  });

  test('without a cursor sends only new events', () => {
    const { store, hub, follow, run } = setUp();
    run.write(notes(3, 'old '));
    const last = store.lastEventId();
    const { ids } = follow({});
    run.write(notes(2, 'new '));
    hub.pump();
    expect(ids).toEqual([last + 1, last + 2]);
  });

  test('after an event that this home does not have yet continues from the newest', () => {
    const { store, hub, follow, run } = setUp();
    const last = store.lastEventId();
    const { ids } = follow({ after: 1_000_000 });
    run.write(notes(1, 'new '));
    hub.pump();
    expect(ids).toEqual([last + 1]);
  });

  test('of one DAG or one run omits others', () => {
    const { store, hub, follow } = setUp();
    const [one, two] = [createOwnedRun(store, { name: 'x' }), createOwnedRun(store, { name: 'x' })];
    const other = createOwnedRun(store, { name: 'y' });
    const begin = store.lastEventId();
    const streams = [
      follow({ name: 'x', after: begin }),
      follow({ name: 'x', dagRunId: two.run.dagRunId, after: begin }),
      follow({ dagRunId: other.run.dagRunId, after: begin }),
    ];
    for (const { write } of [one, two, other]) write(notes(1, ''));
    hub.pump();
    expect(streams.map(({ ids }) => ids.map((id) => id - begin))).toEqual([[1, 2], [2], [3]]);
  });

  test('sends a cursor before the first event, and for filtered events', async () => {
    const { store, hub, clock, run } = setUp();
    const places: number[] = [];
    const ids: number[] = [];
    const observer = {
      item: ({ id }: { id: number }) => ids.push(id),
      end: () => {},
      position: (id: number) => places.push(id),
    };
    followEvents({ store, clock, hub }, { name: run.run.name }, observer);
    expect(places).toEqual([store.lastEventId()]);
    const other = createOwnedRun(store, { name: 'other' });
    other.write(notes(900, ''));
    run.write(notes(1, ''));
    const last = store.lastEventId();
    places.length = 0;
    followEvents({ store, clock, hub }, { name: 'other', after: 0 }, observer);
    await until(() => places.includes(last));
    expect(ids).not.toContain(last);
  });

  test('sends history as the client reads it, and live events after it', async () => {
    const { store, hub, clock, run } = setUp();
    run.write(notes(450, 'old '));
    const ids: number[] = [];
    let take = (): void => {};
    followEvents(
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
    run.write(notes(10, 'new '));
    hub.pump();
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ids).toEqual(upTo(100));
    for (let taken = 200; taken <= 400; taken += 100) {
      take();
      await until(() => ids.length === taken);
    }
    take();
    await until(() => ids.length >= store.lastEventId());
    expect(ids).toEqual(upTo(store.lastEventId()));
  });

  test('ends the stream with the reason when the store fails', async () => {
    const { store, hub, clock } = setUp();
    const broken = {
      ...store,
      lastEventId: () => 0,
      listEvents: () => {
        throw new AppError('database_corrupt', 'The database is damaged.');
      },
    };
    const end = new Promise((resolve) => {
      followEvents({ store: broken, clock, hub }, { after: 0 }, { item() {}, end: resolve });
    });
    expect(await end).toEqual({ code: 'database_corrupt', message: 'The database is damaged.' });
  });
});

describe('following one run', () => {
  const follow = (
    { store, hub, clock }: Pick<ReturnType<typeof setUp>, 'store' | 'hub' | 'clock'>,
    input: StreamInput<'events.followRun'>,
  ) => {
    const told: string[] = [];
    followRunEvents({ store, clock, hub }, input, {
      item: ({ event }) => told.push(event.type),
      end: (error) => told.push(error === undefined ? 'END' : error.code),
    });
    return told;
  };
  const finished: RunEvent = { type: 'run.finished', status: 'succeeded', outputs: {} };

  test('ends with the run', () => {
    const parts = setUp();
    const { run, hub } = parts;
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    const live = follow(parts, address);
    const latest = follow(parts, { ...address, dagRunId: 'latest', after: 0 });
    const before = latest.length;
    expect(before).toBeGreaterThan(0);
    run.write([note('busy'), finished]);
    hub.pump();
    expect(live).toEqual(['run.message', 'run.finished', 'END']);
    expect(latest.slice(before)).toEqual(['run.message', 'run.finished', 'END']);
  });

  test('sends the history of an ended run and ends at once', async () => {
    const parts = setUp();
    const { run, store, hub } = parts;
    run.write([finished]);
    hub.pump();
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    expect(follow(parts, address)).toEqual(['END']);
    expect(follow(parts, { ...address, after: store.lastEventId() - 1 })).toEqual(['run.finished', 'END']);
  });

  test('continues past an end after which the run was retried', () => {
    const parts = setUp();
    const { run, store, hub, clock } = parts;
    run.write([finished]);
    const address = { name: run.run.name, dagRunId: run.run.dagRunId };
    store.reopenRun(
      { runKey: run.run.key, epoch: run.epoch, owner, by: 'ann', steps: [], maxActiveRuns: -1 },
      clock.now(),
    );
    const told = follow(parts, { ...address, after: 0 });
    hub.pump();
    expect(told.slice(-2)).toEqual(['run.finished', 'run.retried']);
  });

  test('rejects an unknown run', () => {
    const parts = setUp();
    expect(() => follow(parts, { name: 'none', dagRunId: 'latest' })).toThrow('"none" has no runs yet.');
  });
});
