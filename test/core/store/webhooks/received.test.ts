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

beforeEach(async () => {
  store = openTestStore();
  receiver = await store.received.createReceiver('abc', settings, 1);
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
  it('is stored with its bytes, and with the starts it triggers', async () => {
    const [kept] = await store.received.keep([accepted()]);
    const start = {
      receivedKey: kept!.key,
      dag: 'etl',
      trigger: 0,
      outcome: 'pending',
      run: { name: 'etl', dagRunId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    };
    expect(kept).toEqual({ key: 1, starts: [start] });
    expect(await store.received.readBody(1)).toEqual(body);
    expect(await store.received.findReceived(1)).toEqual({
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

  it('is a duplicate only for the same webhook of the same receiver, within its time, and not when it is replayed', async () => {
    const other = await store.received.createReceiver('def', { ...settings, name: 'other' }, 1);
    const kept = await store.received.keep([
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
    expect(await store.received.readBody(2)).toBeUndefined();
    expect(kept[1]!.starts).toEqual([]);
  });

  it('is started by any later host, and completed once', async () => {
    await store.received.keep([accepted(), accepted({ deliveryId: 'two', at: 500 })]);
    const due = (receivedBefore: number) =>
      store.received.listDueStarts({ at: 1000, receivedBefore, limit: 10 });
    expect(await due(99)).toEqual([]);
    expect((await due(100)).map(({ receivedKey }) => receivedKey)).toEqual([1]);
    const [first, second] = await due(500);
    await store.received.settle([{ ...first!, outcome: 'started', reason: undefined }]);
    await store.received.settle([{ ...first!, outcome: 'refused', reason: 'too late' }]);
    expect((await store.received.findReceived(1))!.starts).toMatchObject([{ outcome: 'started' }]);
    expect(await due(500)).toEqual([second]);
  });

  it('waits for its time, and is superseded by a later one with the same key', async () => {
    const debounced = (deliveryId: string, at: number, key: string): AcceptedRequest =>
      accepted({
        deliveryId,
        at,
        starts: [{ dag: 'etl', trigger: 0, name: 'etl', debounce: { key, waitMs: 100 } }],
      });
    await store.received.keep([debounced('1', 100, 'a'), debounced('2', 150, 'a'), debounced('3', 160, 'b')]);
    const dueAt = async (at: number) =>
      (await store.received.listDueStarts({ at, receivedBefore: at, limit: 9 })).map(
        ({ receivedKey }) => receivedKey,
      );
    expect([await dueAt(249), await dueAt(250), await dueAt(260)]).toEqual([[], [2], [2, 3]]);
    expect((await store.received.findReceived(1))!.starts).toMatchObject([
      { outcome: 'replaced', reason: expect.stringContaining('Replaced by delivery 2') },
    ]);
  });

  it('is deleted when it is too old, except for pending starts', async () => {
    await store.received.keep([accepted(), accepted({ deliveryId: 'two', starts: [] })]);
    expect(await store.received.purge(10_100, 10)).toEqual([]);
    expect(await store.received.purge(10_101, 10)).toEqual([{ receiverId: 'abc', receivedKey: 2 }]);
    expect(await store.received.findReceived(1)).toBeDefined();
  });

  it('is limited to 200 rejected ones', async () => {
    for (let at = 0; at < 450; at += 90)
      await store.received.keep(Array.from({ length: 90 }, (_, index) => refused(at + index)));
    const kept = await store.received.listReceived({ receiverKey: receiver.key, limit: 1000 });
    expect(kept).toHaveLength(200);
    expect(kept[0]).toMatchObject({ key: 450, verified: false, state: 'refused', reason: 'No signature.' });
  });

  it('is listed by filter, page by page', async () => {
    await store.received.keep([
      accepted({ event: 'push', deliveryId: 'a' }),
      refused(5),
      accepted({ event: 'star', deliveryId: 'b' }),
    ]);
    const list = async (filter: object) =>
      (await store.received.listReceived({ receiverKey: receiver.key, limit: 10, ...filter })).map(
        ({ key }) => key,
      );
    expect(await list({})).toEqual([3, 2, 1]);
    expect(await list({ limit: 2 })).toEqual([3, 2]);
    expect(await list({ beforeKey: 2 })).toEqual([1]);
    expect(await list({ verified: false })).toEqual([2]);
    expect(await list({ event: 'star' })).toEqual([3]);
    expect(await list({ deliveryId: 'a' })).toEqual([1]);
  });

  it('is deleted with its receiver', async () => {
    await store.received.keep([accepted()]);
    expect(await store.received.deleteReceiver('abc')).toBe(true);
    expect(await store.received.deleteReceiver('abc')).toBe(false);
    expect(await store.received.findReceived(1)).toBeUndefined();
    expect(await store.received.listDueStarts({ at: 1e9, receivedBefore: 1e9, limit: 9 })).toEqual([]);
  });
});

describeOnStores('receivers', () => {
  it('have unique names, and report changes', async () => {
    const version = await store.received.receiverVersion();
    await expect(() => store.received.createReceiver('def', settings, 1)).rejects.toThrow('already exists');
    expect(await store.received.receiverVersion()).toBe(version);
    const changed = await store.received.updateReceiver('abc', { ...settings, active: false }, 5);
    expect(changed).toEqual({ ...receiver, active: false, updatedAt: 5 });
    expect(await store.received.receiverVersion()).toBeGreaterThan(version);
    expect(await store.received.listReceivers()).toEqual([changed]);
    await expect(() =>
      store.received.updateReceiver('nobody', { ...settings, name: 'x' }, 5),
    ).rejects.toThrow('Receiver nobody not found');
  });
});
