import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { followEvents } from '../../../core/api/follow-events.ts';
import type { StreamInput } from '../../../core/contract/operations.ts';
import { EventHub } from '../../../core/run/record/event-hub.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { until } from '../../rig/until.ts';
import { createOwnedRun, openMemoryStore } from '../store/store-rig.ts';

const note = (message: string): RunEvent => ({ type: 'run.note', level: 'info', message });
const notes = (count: number, prefix: string): RunEvent[] =>
  Array.from({ length: count }, (_, index) => note(`${prefix}${index}`));

function setUp() {
  const store = openMemoryStore();
  const clock = new FakeClock();
  const logger = { info() {}, warn() {}, error() {} };
  const hub = new EventHub({ store, clock, logger });
  const follow = (input: StreamInput<'events.follow'>) => {
    const ids: number[] = [];
    const dispose = followEvents({ store, clock, hub }, input, {
      item: ({ id }) => ids.push(id),
      end: () => {},
    });
    return { ids, dispose };
  };
  return { store, hub, follow, run: createOwnedRun(store) };
}

const upTo = (last: number, after = 0): number[] =>
  Array.from({ length: last - after }, (_, index) => after + index + 1);

describe('following events', () => {
  test('begins with what is stored after the given one and goes on with what happens, without gap or repeat', async () => {
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

  test('tells once what a client read from the store before the hub told of it', () => {
    const { store, hub, follow, run } = setUp();
    follow({});
    run.write(notes(3, 'committed '));
    const { ids } = follow({ after: 0 });
    hub.pump();
    expect(ids).toEqual(upTo(store.lastEventId()));
  });

  test('without a place to begin tells only what happens from now on', () => {
    const { store, hub, follow, run } = setUp();
    run.write(notes(3, 'old '));
    const last = store.lastEventId();
    const { ids } = follow({});
    run.write(notes(2, 'new '));
    hub.pump();
    expect(ids).toEqual([last + 1, last + 2]);
  });

  test('after an event that this home does not have yet goes on from the newest', () => {
    const { store, hub, follow, run } = setUp();
    const last = store.lastEventId();
    const { ids } = follow({ after: 1_000_000 });
    run.write(notes(1, 'new '));
    hub.pump();
    expect(ids).toEqual([last + 1]);
  });

  test('of one DAG or one run leaves the others out', () => {
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
});
