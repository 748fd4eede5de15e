import { expect, it } from 'vitest';
import { createStore, type Store } from '../../../core/store/open-store.ts';
import type { WebhookSettings, NewEvent } from '../../../core/store/types/webhooks.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../harness/databases.ts';
import { createOwnedRun, openMemoryDatabase, owner } from './store-harness.ts';

const webhook: WebhookSettings = {
  kind: 'repository',
  owner: 'Ann/Repo',
  targetId: 1,
  url: 'http://127.0.0.1:9/',
  format: 'json',
  secrets: [{ value: 'secret' }],
  verifyTls: true,
  active: true,
  events: ['*'],
  options: {},
};
const makeEvent = (guid: string): NewEvent => ({
  guid,
  event: 'ping',
  payload: { action: 'made', text: 'a\0b' },
  scope: {
    repository: 'Ann/Repo',
    repositoryId: 1,
  },
});

async function useSchedules({ schedule, ...store }: Store): Promise<unknown[]> {
  const { run } = await createOwnedRun(store, { name: 'daily', dagRunId: 'active' });
  const fireTime = { dag: 'daily', kind: 'start', at: 60_000 } as const;
  const instance = { id: 'a', host: 'here', pid: 1, startedAt: 1, beatAt: 5, isActive: true };
  return [
    [
      await schedule.isDecided(fireTime),
      await schedule.rejectFireTime(fireTime, { name: 'daily', outcome: 'skipped', reason: 'full' }, 1),
    ],
    [
      await schedule.isDecided(fireTime),
      await schedule.rejectFireTime(fireTime, { name: 'daily', outcome: 'failed', reason: 'late' }, 2),
    ],
    await schedule.beginRestart({ ...fireTime, kind: 'restart' }, 'daily', 3),
    await schedule.listRestarts(),
    await schedule.stopForFireTime({ ...fireTime, kind: 'stop' }, 'nobody', 3),
    await schedule.rejectRestart({ ...fireTime, kind: 'restart' }, 'gone', 4),
    await schedule.groupFireTimes({ from: 0, before: 100_000, limit: 10 }),
    await schedule.groupFireTimes({ from: 0, before: 100_000, dags: ['other'], limit: 10 }),
    (await schedule.countFireTimes({ from: 0, before: 100_000 })).toSorted((a, b) =>
      a.outcome < b.outcome ? -1 : 1,
    ),
    (await schedule.countFireTimes({ from: 0, before: 100_000, dags: ['daily'] })).length,
    [...(await schedule.rememberSchedules([{ dag: 'daily', mark: 'm' }], 7))],
    [...(await schedule.rememberSchedules([{ dag: 'daily', mark: 'm' }], 8))],
    [
      await schedule.setSuspended('daily', true, 9),
      await schedule.isSuspended('daily'),
      [...(await schedule.listSuspended())],
    ],
    [
      await schedule.forgetSchedules(['daily']),
      ...(await schedule.rememberSchedules([{ dag: 'daily', mark: 'm' }], 10)),
    ],
    [
      await schedule.pause(),
      await schedule.setPause({ since: 1, until: 2, by: 'ann' }),
      await schedule.pause(),
    ],
    [await schedule.removeExpiredPause(1), await schedule.removeExpiredPause(2), await schedule.pause()],
    [await schedule.setPause(undefined), await schedule.removeExpiredPause(9)],
    [
      await schedule.watermark(),
      await schedule.setWatermark(5),
      await schedule.setWatermark(6),
      await schedule.watermark(),
    ],
    [await schedule.hasSucceededSince('daily', 0), await schedule.hasActiveRun('daily')],
    [
      await schedule.addNote({ at: 1, kind: 'missed', dag: 'daily', message: 'm' }),
      await schedule.listNotes(5),
    ],
    [await schedule.saveScheduler(instance), await schedule.saveScheduler({ ...instance, id: 'b', port: 7 })],
    await schedule.listSchedulers(),
    [await schedule.removeScheduler('a'), (await schedule.listSchedulers()).length],
    [
      await schedule.purgeFireTimes(100_000),
      await schedule.groupFireTimes({ from: 0, before: 100_000, limit: 10 }),
    ],
    (await store.findRun(run))?.stopRequestedBy,
  ];
}

async function useHosts(store: Store): Promise<unknown[]> {
  const { run } = await createOwnedRun(store, { name: 'hosted', dagRunId: 'hosted' });
  const other = { ...owner, pid: 101 };
  return [
    [
      await store.beat(owner, 5),
      await store.beat({ ...owner, pid: 102, version: '1.2.3' }, 5, 0.25),
      await store.listHosts(5),
      await store.listDrivingHosts(),
      await store.findRunHost(run.key),
    ],
    [await store.findService('s'), await store.claimService('s', 0, owner, { at: 6, untilAt: 9 })],
    [await store.claimService('s', 0, other, { at: 6, untilAt: 9 }), await store.renewService('s', 1, 20)],
    [await store.findService('s'), await store.releaseService('s', 1), await store.findService('s')],
    [await store.leaveRuns(owner, 8), await store.listOrphanedRuns((await store.findRunHost(run.key))!.key)],
    await store.claimOrphanedRun(
      { runKey: run.key, epoch: run.epoch, owner: other, by: 'b', from: 'a', reason: 'gone' },
      9,
    ),
    await store.getDetail(run),
    [await store.countActiveRuns(), await store.findVersion(run)],
    await store.countByDay({ days: [{ from: 0, until: 5000 }] }),
    await store.countByDay({ days: [{ from: 0, until: 5000 }], name: 'hosted' }),
  ];
}

async function useWebhooks({ webhooks }: Store): Promise<unknown[]> {
  const { id } = await webhooks.createWebhook(webhook, 1);
  const [first, second] = await webhooks.addEvents([makeEvent('g1'), makeEvent('g2')], 2);
  const attempt = {
    ...{ at: 4, durationMs: 1.5, delivered: false, status: 'timed out', statusCode: 500, url: webhook.url },
    ...{ requestHeaders: { a: 'b' }, response: { headers: {}, body: '\0', cut: false } },
  };
  const wanted = { requests: [{ hookId: id, limit: 5, ordered: false }], epoch: 1, at: 5 };
  const take = () => webhooks.exchange({ sent: [], health: new Map() }, wanted);
  const messages = [{ eventId: first!.id, messages: [{ hookId: id }] }];
  return [
    await webhooks.listWebhooks({ kind: webhook.kind, owner: 'ann/REPO', limit: 5 }),
    [
      await webhooks.webhookVersion(),
      await webhooks.listNewEvents(5),
      await webhooks.findLatestEvent('ping', 'ann/repo'),
    ],
    [
      await webhooks.addMessages(messages, 3),
      await webhooks.addMessages(messages, 3),
      await webhooks.listDue(),
    ],
    await webhooks.addMessages([{ eventId: second!.id, messages: [{ hookId: id, reason: 'too large' }] }], 3),
    [await webhooks.nextDue(id, true), await webhooks.nextDue(id, false), await take(), await take()],
    [await webhooks.returnClaimed(1, 4), await webhooks.returnClaimed(2, 4), await webhooks.listDue()],
    await Promise.all(
      (await take()).map((message) =>
        webhooks.exchange(
          {
            sent: [{ message, epoch: 1, attempts: [attempt], end: { state: 'dead', reason: 'enough' } }],
            health: new Map([
              [
                id,
                {
                  failingSince: 1,
                  lastResponse: { code: 500, status: 'failed', message: null },
                  disabledReason: 'off',
                },
              ],
            ]),
          },
          { ...wanted, requests: [{ hookId: id, limit: 1, ordered: true }] },
        ),
      ),
    ),
    [await webhooks.replay({ hookId: id, since: 0, onlyFailed: true }, 9), await webhooks.countMessages(id)],
    [await webhooks.replay({ hookId: id, since: 0, onlyFailed: false }, 9), (await take()).length],
    [await webhooks.release([3], 1), await webhooks.addRedelivery({ eventId: first!.id, hookId: id }, 9)],
    await webhooks.listMessages({ hookId: id, guid: 'g1', states: ['dead', 'waiting'], limit: 5 }),
    [
      await webhooks.findMessage(1),
      await webhooks.listDeliveries({ hookId: id, outcome: 'failure', limit: 5 }),
    ],
    [await webhooks.findDelivery(id, 1), await webhooks.findEvent(second!.id), await webhooks.allWebhooks()],
    await webhooks.updateWebhook(id, { ...webhook, events: ['push'] }, 11),
    [
      await webhooks.deleteWebhook(id, 12, makeEvent('g3')),
      await webhooks.findWebhook(id),
      await webhooks.purge(100, 10),
    ],
  ];
}

/** Events that webhooks receive about a run and one that it has called, by name only. */
async function useRunEvents(store: Store): Promise<unknown[]> {
  await store.webhooks.createWebhook(webhook, 1);
  const parent = await createOwnedRun(store, { name: 'outer', dagRunId: 'outer', tags: ['t'] });
  const child = await createOwnedRun(store, {
    ...{ name: 'inner', dagRunId: 'inner', root: parent.run },
    parent: { ...parent.run, step: 'call' },
  });
  const node = { section: 'step', name: 'a' } as const;
  await child.write([
    { type: 'run.started', logDir: 'l' },
    { type: 'step.started', node, attempt: 1, dir: 'd' },
    { type: 'step.finished', node, attempt: 1, status: 'failed', exitCode: 1, error: 'no' },
    { type: 'run.finished', status: 'failed', outputs: {} },
  ]);
  const results = [
    (await store.webhooks.listNewEvents(50)).map(({ event, action, scope }) => ({ event, action, scope })),
    await store.setStepStatus({ runKey: child.run.key, step: 'a', status: 'succeeded', by: 'ann' }, 9),
    await store.setStepStatus({ runKey: child.run.key, step: 'a', status: 'failed', by: 'ann' }, 10),
    await store.setNote({ runKey: child.run.key, text: 'Bad *input*', by: 'ann' }, 11),
    (await store.getDetail(child.run))?.steps,
    [
      await store.listSubRuns(parent.run.key, { isDeep: true, limit: 5 }),
      await store.findSubRun(parent.run.key, 'inner'),
    ],
    [
      await store.listStepSubRuns(parent.run.key, { section: 'step', name: 'call' }),
      await store.listStepStates([child.run.key]),
    ],
    typeof (await store.webhookRevision()),
  ];
  // A server may skip keys.
  const hideKey = (name: string, value: unknown): unknown =>
    /^(k|runK)ey$/.test(name) && value === child.run.key ? 'child' : value;
  return JSON.parse(JSON.stringify(results, hideKey)) as unknown[];
}

describeOnServers('every operation on a server', (server) => {
  it.each([
    ['of schedules', useSchedules],
    ['of hosts and services', useHosts],
    ['of webhooks', useWebhooks],
    ['on notifications of webhooks about runs', useRunEvents],
  ])('%s returns the same as on SQLite', async (_, use) => {
    const file = await use(createStore(openMemoryDatabase()));
    const remote = await use(createStore(openForTest(newSchemaUrl(server()))));
    expect(remote).toEqual(file);
  });
});
