import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../../core/store/open-store.ts';
import type { AcceptedRequest, Receiver, RefusedRequest } from '../../../../core/store/types/receivers.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { openTestStore } from '../store-harness.ts';

let store: Store;
let receiver: Receiver;
const settings = {
  name: 'github',
  scheme: 'platform',
  secrets: [{ value: 'secret' }],
  methods: ['POST', 'GET'],
  allowSha1: false,
  maxBodyBytes: 1000,
  dedupeMs: 1000,
  keepMs: 10_000,
  active: true,
} as const;

beforeEach(() => {
  store = openTestStore();
  receiver = store.received.createReceiver('abc', settings, 1);
});

const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
const accepted = (more: Partial<AcceptedRequest> = {}): AcceptedRequest => ({
  receiver,
  at: 100,
  method: 'GET',
  headers: { host: 'x' },
  body,
  bytes: 4,
  deliveryId: 'one',
  hookId: '7',
  event: 'push',
  proof: 'sha256',
  depth: 0,
  starts: [{ dag: 'etl', trigger: 0, name: 'etl' }],
  passedOver: [{ dag: 'other', trigger: 1, reason: 'No.' }],
  ...more,
});
const refused = (at: number): RefusedRequest => ({
  receiver,
  at,
  method: 'POST',
  headers: {},
  bytes: 0,
  verified: false,
  reason: 'No signature.',
});

describeOnStores('received delivery', () => {
  it('is stored with its bytes, and with the starts it triggers', () => {
    const [kept] = store.received.keep([accepted()]);
    const start = {
      receivedKey: kept!.key,
      dag: 'etl',
      trigger: 0,
      outcome: 'pending',
      run: { name: 'etl', dagRunId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    };
    expect(kept).toEqual({ key: 1, starts: [start] });
    expect(store.received.readBody(1)).toEqual(body);
    expect(store.received.findReceived(1)).toEqual({
      key: 1,
      receiverKey: receiver.key,
      method: 'GET',
      at: 100,
      state: 'accepted',
      verified: true,
      proof: 'sha256',
      deliveryId: 'one',
      hookId: '7',
      event: 'push',
      headers: { host: 'x' },
      bytes: 4,
      depth: 0,
      starts: [start],
      passedOver: [{ dag: 'other', trigger: 1, reason: 'No.' }],
    });
  });

  it('is a duplicate only for the same webhook of the same receiver, within its time, and not when it is replayed', () => {
    const other = store.received.createReceiver('def', { ...settings, name: 'other' }, 1);
    const kept = store.received.keep([
      accepted(),
      accepted(),
      accepted({ hookId: '8' }),
      accepted({ hookId: undefined }),
      accepted({ hookId: undefined }),
      accepted({ receiver: other }),
      accepted({ at: 1099 }),
      accepted({ at: 1100 }),
      accepted({ deliveryId: undefined }),
      accepted({ replayOf: 1 }),
      accepted({ receiver: { ...receiver, dedupeMs: 0 } }),
    ]);
    expect(kept.map(({ duplicateOf }) => duplicateOf)).toEqual([
      undefined,
      1,
      undefined,
      undefined,
      4,
      undefined,
      1,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(store.received.readBody(2)).toBeUndefined();
    expect(kept[1]!.starts).toEqual([]);
  });

  it('is started by any later host, and completed once', () => {
    store.received.keep([accepted(), accepted({ deliveryId: 'two', at: 500 })]);
    const due = (receivedBefore: number) =>
      store.received.listDueStarts({ at: 1000, receivedBefore, limit: 10 });
    expect(due(99)).toEqual([]);
    expect(due(100).map(({ receivedKey }) => receivedKey)).toEqual([1]);
    const [first, second] = due(500);
    store.received.settle([{ ...first!, outcome: 'started', reason: undefined }]);
    store.received.settle([{ ...first!, outcome: 'refused', reason: 'too late' }]);
    expect(store.received.findReceived(1)!.starts).toMatchObject([{ outcome: 'started' }]);
    expect(due(500)).toEqual([second]);
  });

  it('waits for its time, and is superseded by a later one with the same key', () => {
    const debounced = (deliveryId: string, at: number, key: string): AcceptedRequest =>
      accepted({
        deliveryId,
        at,
        starts: [{ dag: 'etl', trigger: 0, name: 'etl', debounce: { key, waitMs: 100 } }],
      });
    store.received.keep([debounced('1', 100, 'a'), debounced('2', 150, 'a'), debounced('3', 160, 'b')]);
    const dueAt = (at: number) =>
      store.received
        .listDueStarts({ at, receivedBefore: at, limit: 9 })
        .map(({ receivedKey }) => receivedKey);
    expect([dueAt(249), dueAt(250), dueAt(260)]).toEqual([[], [2], [2, 3]]);
    expect(store.received.findReceived(1)!.starts).toMatchObject([
      { outcome: 'replaced', reason: expect.stringContaining('Replaced by delivery 2') },
    ]);
  });

  it('is deleted when it is too old, except for pending starts', () => {
    store.received.keep([accepted(), accepted({ deliveryId: 'two', starts: [] })]);
    expect(store.received.purge(10_100, 10)).toEqual([]);
    expect(store.received.purge(10_101, 10)).toEqual([{ receiverId: 'abc', receivedKey: 2 }]);
    expect(store.received.findReceived(1)).toBeDefined();
  });

  it('is limited to 200 rejected ones', () => {
    for (let at = 0; at < 450; at += 90)
      store.received.keep(Array.from({ length: 90 }, (_, index) => refused(at + index)));
    const kept = store.received.listReceived({ receiverKey: receiver.key, limit: 1000 });
    expect(kept).toHaveLength(200);
    expect(kept[0]).toMatchObject({ key: 450, verified: false, state: 'refused', reason: 'No signature.' });
  });

  it('is listed by filter, page by page', () => {
    store.received.keep([
      accepted({ event: 'push', deliveryId: 'a' }),
      refused(5),
      accepted({ event: 'star', deliveryId: 'b' }),
    ]);
    const list = (filter: object) =>
      store.received.listReceived({ receiverKey: receiver.key, limit: 10, ...filter }).map(({ key }) => key);
    expect(list({})).toEqual([3, 2, 1]);
    expect(list({ limit: 2 })).toEqual([3, 2]);
    expect(list({ beforeKey: 2 })).toEqual([1]);
    expect(list({ verified: false })).toEqual([2]);
    expect(list({ event: 'star' })).toEqual([3]);
    expect(list({ deliveryId: 'a' })).toEqual([1]);
  });

  it('is deleted with its receiver', () => {
    store.received.keep([accepted()]);
    expect(store.received.deleteReceiver('abc')).toBe(true);
    expect(store.received.deleteReceiver('abc')).toBe(false);
    expect(store.received.findReceived(1)).toBeUndefined();
    expect(store.received.listDueStarts({ at: 1e9, receivedBefore: 1e9, limit: 9 })).toEqual([]);
  });
});

describeOnStores('receivers', () => {
  it('have unique names, and report changes', () => {
    const version = store.received.receiverVersion();
    expect(() => store.received.createReceiver('def', settings, 1)).toThrow('already exists');
    expect(store.received.receiverVersion()).toBe(version);
    const changed = store.received.updateReceiver('abc', { ...settings, active: false }, 5);
    expect(changed).toEqual({ ...receiver, active: false, updatedAt: 5 });
    expect(store.received.receiverVersion()).toBeGreaterThan(version);
    expect(store.received.listReceivers()).toEqual([changed]);
    expect(() => store.received.updateReceiver('nobody', { ...settings, name: 'x' }, 5)).toThrow(
      'Receiver nobody not found',
    );
  });
});
