import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../../core/store/open-store.ts';
import type { ChannelSettings } from '../../../../core/store/types/notifications.ts';
import type { NewEvent } from '../../../../core/store/types/webhooks.ts';
import { describeOnStores } from '../../../harness/databases.ts';
import { openTestStore } from '../store-harness.ts';

let store: Store;
beforeEach(() => {
  store = openTestStore();
});

const createChannel = (owner: string, channel: ChannelSettings) =>
  store.webhooks.createWebhook(
    {
      kind: 'repository',
      owner,
      targetId: 0,
      url: 'desktop app',
      format: 'json',
      secrets: [],
      verifyTls: true,
      active: true,
      events: [],
      options: {},
      channel,
    },
    1,
  );

const late = { type: 'run.late', workflow: 'etl', at: 5, key: 'late etl 2026-01-31' } as const;
const rule = {
  name: 'all',
  enabled: true,
  workflows: {},
  events: ['late'],
  channels: ['desk'],
  after: 1,
  once: false,
} as const;

describeOnStores('notifications', () => {
  it('keep an event once by its key, and only while there is a channel', async () => {
    await store.notifications.notifyEvent(late);
    expect(await store.notifications.findNextWork()).toBeUndefined();
    await createChannel('desk', { kind: 'desktop' });
    await store.notifications.notifyEvent(late);
    await store.notifications.notifyEvent({ ...late, at: 6 });
    await store.notifications.notifyEvent({
      type: 'run.failed',
      workflow: 'etl',
      runId: 'r1',
      at: 7,
      failures: 2,
    });
    expect(await store.notifications.findNextWork()).toBe(0);
    expect(await store.notifications.listNewEvents(9)).toMatchObject([
      { type: 'run.late', workflow: 'etl', at: 5, failures: 1 },
      { type: 'run.failed', runId: 'r1', failures: 2 },
    ]);
  });

  it('decide an event once, hold messages and release them once', async () => {
    const { id: hookId } = await createChannel('desk', { kind: 'desktop' });
    await store.notifications.notifyEvent(late);
    const [event] = await store.notifications.listNewEvents(9);
    const toEvent = (guid: string): NewEvent => ({
      guid,
      event: 'notification',
      payload: { title: guid },
      scope: { hookId },
    });
    const held = { hookId, rule: 'all', content: '{"title":"later"}', dueAt: 50 };
    for (const guid of ['first', 'second'])
      await store.notifications.decide([{ eventId: event!.id, send: [toEvent(guid)], hold: [held] }], 10);
    expect((await store.webhooks.listNewEvents(9)).map(({ guid }) => guid)).toEqual(['first']);
    expect(await store.notifications.findHeldDue(hookId, 'all')).toBe(50);
    expect(await store.notifications.findNextWork()).toBe(50);
    expect(await store.notifications.listDue(49)).toEqual([]);
    const [due] = await store.notifications.listDue(50);
    expect(due).toMatchObject({ hookId, rule: 'all', contents: ['{"title":"later"}'] });
    for (const guid of ['digest', 'again'])
      await store.notifications.releaseHeld(due!.ids, toEvent(guid), 50);
    const created = await store.webhooks.listNewEvents(9);
    expect(created.map(({ guid }) => guid)).toEqual(['first', 'digest']);
    await store.webhooks.addMessages(
      created.map(({ id }) => ({ eventId: id, messages: [{ hookId }] })),
      60,
    );
    expect(await store.notifications.takeDesktopMessages(70)).toEqual([
      '{"title":"first"}',
      '{"title":"digest"}',
    ]);
    expect(await store.notifications.takeDesktopMessages(70)).toEqual([]);
    const listed = await store.notifications.listMessages({ hookId, limit: 9 });
    expect(listed).toMatchObject([
      { channel: 'desk', state: 'delivered', lastAttempt: { at: 70, status: 'OK' } },
      { channel: 'desk', state: 'delivered', attempts: 1 },
    ]);
    expect(await store.notifications.findMessage(listed[1]!.id)).toEqual(listed[1]);
    expect(await store.webhooks.listMessages({ states: ['delivered'], limit: 9 })).toEqual([]);
  });

  it('change rules, whose names are unique', async () => {
    const { id } = await store.notifications.createRule(rule, 1);
    await expect(() => store.notifications.createRule(rule, 2)).rejects.toThrow('Rule "all" already exists.');
    expect(
      await store.notifications.updateRule(id, { ...rule, enabled: false, quiet: '22:00-07:00' }, 3),
    ).toEqual({
      ...rule,
      enabled: false,
      quiet: '22:00-07:00',
      id,
      createdAt: 1,
      updatedAt: 3,
    });
    expect(await store.notifications.deleteRule(id)).toBe(true);
    expect(await store.notifications.listRules()).toEqual([]);
    expect(await store.notifications.updateRule(id, rule, 4)).toBeUndefined();
  });

  it('go to channels with unique names, which rules follow', async () => {
    const channel = { kind: 'desktop' } as const;
    const { id, ...settings } = await createChannel('desk', channel);
    await createChannel('other', channel);
    await store.notifications.createRule({ ...rule, channels: ['other', 'desk'] }, 2);
    await expect(createChannel('desk', channel)).rejects.toThrow('Channel "desk" already exists.');
    await expect(store.webhooks.updateWebhook(id, { ...settings, owner: 'other' }, 3)).rejects.toThrow(
      'Channel "other" already exists.',
    );
    await store.webhooks.updateWebhook(id, { ...settings, owner: 'desktop' }, 4);
    expect(await store.notifications.listRules()).toMatchObject([
      { channels: ['other', 'desktop'], updatedAt: 4 },
    ]);
  });
});
