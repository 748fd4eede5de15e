import { oneByOne } from '../../../harness/resources.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RunEvent, runTransitions } from '../../../../core/model/run-event.ts';
import { runStatuses } from '../../../../core/model/run.ts';
import type { RetryClaim, RunStore } from '../../../../core/store/types/runs.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import {
  createOwnedRun,
  openNextTestStore,
  openTestStore,
  owner,
  thrownBy,
  type OwnedRun,
} from '../store-harness.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const stepNode = (name: string) => ({ section: 'step', name }) as const;
const exitNode = { section: 'handler', name: 'onExit' } as const;
const newOwner = { ...owner, pid: 200 };

const started = (name: string, attempt: number): RunEvent => ({
  type: 'step.started',
  node: stepNode(name),
  attempt,
  dir: `${name}.${attempt}`,
});

/** A run that failed: `load` succeeded with an output, `send` failed with a sub-run, `report` was aborted. */
async function createFailedRun(
  store: RunStore,
  overrides: Parameters<typeof createOwnedRun>[1] = {},
): Promise<OwnedRun> {
  const owned = await createOwnedRun(store, overrides);
  const send = stepNode('send');
  await owned.write([
    { type: 'run.started', logDir: 'logs/one' },
    started('load', 1),
    {
      type: 'step.finished',
      node: stepNode('load'),
      attempt: 1,
      status: 'succeeded',
      exitCode: 0,
      output: { name: 'ROWS', value: '12' },
    },
    started('send', 1),
    { type: 'step.sub_run', node: send, name: 'child', dagRunId: 'c1' },
    {
      type: 'step.finished',
      node: send,
      attempt: 1,
      status: 'failed',
      exitCode: 7,
      error: 'exit code 7',
      output: { name: 'SENT', value: '3' },
    },
    { type: 'step.ended', node: stepNode('report'), status: 'aborted', reason: 'upstream failed' },
    { type: 'step.started', node: exitNode, attempt: 1, dir: '@onExit.1' },
    { type: 'step.finished', node: exitNode, attempt: 1, status: 'succeeded', exitCode: 0 },
    { type: 'run.stop_requested', by: 'anna' },
    {
      type: 'run.finished',
      status: 'failed',
      cause: 'steps',
      error: 'step "send" failed',
      outputs: { ROWS: '12' },
      peakUsage: { cpu: 12.5, memory: 4096 },
    },
  ]);
  return owned;
}

const wishFor = ({ run, epoch }: OwnedRun, overrides: Partial<RetryClaim> = {}): RetryClaim => ({
  runKey: run.key,
  epoch,
  owner: newOwner,
  by: 'ben',
  steps: ['send', 'report'],
  maxActiveRuns: -1,
  ...overrides,
});

describeOnStores('retried run', () => {
  it('is reset to before its start, with its first start time, its logs and a new owner', async () => {
    const store = openTestStore();
    const failed = await createFailedRun(store);
    const before = (await store.findRun(failed.run))!;
    expect(before.peakUsage).toEqual({ cpu: 12.5, memory: 4096 });
    const run = await store.reopenRun(wishFor(failed), 5000);
    expect(run).toEqual({
      ...before,
      status: 'not_started',
      finishedAt: undefined,
      error: undefined,
      cause: undefined,
      stopRequestedBy: undefined,
      outputs: {},
      peakUsage: undefined,
      owner: newOwner,
      epoch: failed.epoch + 1,
    });
    expect(run).toMatchObject({ startedAt: before.startedAt, logDir: 'logs/one' });
    expect((await store.listEvents(0, 100, failed.run)).at(-1)).toMatchObject({
      at: 5000,
      event: { type: 'run.retried', by: 'ben', steps: ['send', 'report'] },
    });
  });

  it('has the named steps and every handler not started, with their attempts', async () => {
    const store = openTestStore();
    const failed = await createFailedRun(store);
    const before = new Map((await store.getDetail(failed.run))!.steps.map((step) => [step.node.name, step]));
    await store.reopenRun(wishFor(failed), 5000);
    const anew = (name: string) => ({
      node: before.get(name)!.node,
      status: 'not_started',
      attempts: before.get(name)!.attempts,
      subRuns: before.get(name)!.subRuns,
    });
    expect((await store.getDetail(failed.run))!.steps).toEqual([
      anew('onExit'),
      before.get('load'),
      anew('report'),
      anew('send'),
    ]);
    expect(before.get('send')!.attempts).toHaveLength(1);
    expect(before.get('send')!.subRuns).toEqual([{ name: 'child', dagRunId: 'c1' }]);
  });

  it('continues attempt numbers, and times a step from its new start', async () => {
    const store = openTestStore();
    const failed = await createFailedRun(store);
    const { epoch } = await store.reopenRun(wishFor(failed), 5000);
    const write = async (events: RunEvent[], at: number) =>
      (
        await store.append([
          {
            runKey: failed.run.key,
            epoch,
            events: events.map((event, index) => ({ at: at + index, event })),
          },
        ])
      ).outcomes[0]!;
    expect((await write([{ type: 'run.started', logDir: 'logs/one' }], 6000)).outcome).toBe('written');
    expect(await write([started('send', 1)], 6010)).toMatchObject({ outcome: 'illegal' });
    expect(await write([started('load', 2)], 6020)).toMatchObject({ outcome: 'illegal' });
    expect((await write([started('send', 2)], 6030)).outcome).toBe('written');
    expect(
      (
        await write(
          [{ type: 'step.finished', node: stepNode('send'), attempt: 2, status: 'succeeded' }],
          6040,
        )
      ).outcome,
    ).toBe('written');
    expect(
      (
        await write(
          [{ type: 'step.ended', node: stepNode('report'), status: 'skipped', reason: 'not wanted' }],
          6050,
        )
      ).outcome,
    ).toBe('written');
    const steps = new Map((await store.getDetail(failed.run))!.steps.map((step) => [step.node.name, step]));
    expect(steps.get('send')).toMatchObject({
      status: 'succeeded',
      startedAt: 6030,
      finishedAt: 6040,
      attempts: [
        { attempt: 1, exitCode: 7 },
        { attempt: 2, dir: 'send.2' },
      ],
    });
    expect(steps.get('send')).toMatchObject({ exitCode: undefined, error: undefined, output: undefined });
    expect(steps.get('report')).toMatchObject({ status: 'skipped', error: 'not wanted', finishedAt: 6050 });
    expect(await store.findRun(failed.run)).toMatchObject({ startedAt: failed.run.startedAt ?? 2000 });
  });

  it('rejects writes of its former owner', async () => {
    const store = openTestStore();
    const failed = await createFailedRun(store);
    await store.reopenRun(wishFor(failed), 5000);
    expect(await failed.write([started('send', 2)])).toMatchObject({ outcome: 'stale' });
  });

  it('can continue when the end of an attempt was never recorded', async () => {
    const store = openTestStore();
    const owned = await createOwnedRun(store);
    await owned.write([
      { type: 'run.started', logDir: 'l' },
      started('send', 1),
      { type: 'run.finished', status: 'failed', outputs: {} },
    ]);
    const { epoch } = await store.reopenRun(wishFor(owned), 5000);
    const event = { at: 6000, event: started('send', 2) };
    expect(
      (await store.append([{ runKey: owned.run.key, epoch, events: [event] }])).outcomes[0]!.outcome,
    ).toBe('written');
  });
});

describeOnStores('rejects a run', () => {
  const refused = async (
    change: (failed: OwnedRun, store: RunStore) => Partial<RetryClaim> | Promise<Partial<RetryClaim>>,
  ): Promise<string> => {
    const store = openTestStore();
    const failed = await createFailedRun(store);
    const overrides = await change(failed, store);
    const before = await store.getDetail(failed.run);
    const { code } = await thrownBy(() => store.reopenRun(wishFor(failed, overrides), 9000));
    expect(await store.getDetail(failed.run)).toEqual(before);
    return code;
  };

  it('that has been retried meanwhile', async () => {
    expect(
      await refused(async (failed, store) => {
        const { epoch } = await store.reopenRun(wishFor(failed), 5000);
        const end = { type: 'run.finished', status: 'failed', outputs: {} } as const;
        await store.append([{ runKey: failed.run.key, epoch, events: [{ at: 5001, event: end }] }]);
        return {};
      }),
    ).toBe('stale_owner');
  });

  it('over the limit of active runs, unless it is a sub-run', async () => {
    expect(
      await refused(async (_, store) => {
        await createOwnedRun(store);
        return { maxActiveRuns: 1 };
      }),
    ).toBe('max_run_reached');
    const store = openTestStore();
    const parent = await createOwnedRun(store);
    const child = await createFailedRun(store, { parent: { ...parent.run, step: 'call' } });
    expect((await store.reopenRun(wishFor(child, { maxActiveRuns: 0 }), 5000)).status).toBe('not_started');
  });

  it('that does not exist', async () => {
    expect(await refused(() => ({ runKey: 999 }))).toBe('not_found');
  });

  it.each(runStatuses.map((status) => [status]))('as the table says, when it is %s', async (status) => {
    const database = openTestDatabase();
    const store = createStore(database);
    const owned = await createOwnedRun(store);
    await database.perform(() => database.run('UPDATE run SET status = ?', status));
    const isLegal = (runTransitions['run.retried'] as readonly string[]).includes(status);
    if (isLegal) expect((await store.reopenRun(wishFor(owned), 5000)).status).toBe('not_started');
    else expect((await thrownBy(() => store.reopenRun(wishFor(owned), 5000))).code).toBe('still_running');
  });
});

it('never changes kept steps and never loses attempts, however often a run is retried', async () => {
  const names = ['a', 'b', 'c'];
  const round = fc.record({
    again: fc.subarray(names),
    ends: fc.array(fc.constantFrom('succeeded', 'failed', 'aborted', 'settled'), {
      minLength: 3,
      maxLength: 3,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
      const store = openNextTestStore();
      const owned = await createOwnedRun(store);
      const expected = new Map<string, { status: string; attempts: number }>();
      let { epoch } = owned;
      for (const [index, { again, ends }] of rounds.entries()) {
        const runs = index === 0 ? names : again;
        if (index > 0) ({ epoch } = await store.reopenRun(wishFor(owned, { epoch, steps: again }), 5000));
        const events = runs.flatMap((name): RunEvent[] => {
          const end = ends[names.indexOf(name)]!;
          const node = stepNode(name);
          const attempt = (expected.get(name)?.attempts ?? 0) + 1;
          if (end === 'settled') {
            expected.set(name, { status: 'aborted', attempts: attempt - 1 });
            return [{ type: 'step.ended', node, status: 'aborted', reason: 'upstream failed' }];
          }
          expected.set(name, { status: end, attempts: attempt });
          return [
            started(name, attempt),
            { type: 'step.finished', node, attempt, status: end as 'succeeded' },
          ];
        });
        const all: RunEvent[] = [
          { type: 'run.started', logDir: 'l' },
          ...events,
          { type: 'run.finished', status: 'failed', outputs: {} },
        ];
        const batch = { runKey: owned.run.key, epoch, events: all.map((event) => ({ at: 1, event })) };
        expect((await store.append([batch])).outcomes).toEqual([{ outcome: 'written' }]);
        const steps = (await store.getDetail(owned.run))!.steps.map(
          ({ node, status, attempts }): [string, object] => [
            node.name,
            { status, attempts: attempts.length },
          ],
        );
        expect(Object.fromEntries(steps)).toEqual(Object.fromEntries(expected));
      }
    }),
    { seed: 20_252, numRuns: propertyRuns(100) },
  );
});

describeOnStores('step', () => {
  it('lists the runs it has started, newest first', async () => {
    const store = openTestStore();
    const parent = await createOwnedRun(store);
    const call = stepNode('call');
    const children = await oneByOne([1, 2, 3], (number) =>
      createOwnedRun(store, { name: 'child', dagRunId: `c${number}` }),
    );
    await parent.write([
      started('call', 1),
      ...children.map(({ run }): RunEvent => ({
        type: 'step.sub_run',
        node: call,
        name: run.name,
        dagRunId: run.dagRunId,
      })),
      { type: 'step.sub_run', node: call, name: 'child', dagRunId: 'gone' },
    ]);
    const ids = async (name: string) =>
      (await store.listStepSubRuns(parent.run.key, stepNode(name))).map((run) => run.dagRunId);
    expect(await ids('call')).toEqual(['c3', 'c2', 'c1']);
    expect(await ids('other')).toEqual([]);
  });
});

it('rejects a singleton run next to another', async () => {
  const store = openTestStore();
  const first = await createOwnedRun(store);
  expect((await thrownBy(() => createOwnedRun(store, { singleton: true }))).code).toBe('still_running');
  expect((await createOwnedRun(store, { name: 'another', singleton: true })).run.status).toBe('not_started');
  await first.write([{ type: 'run.finished', status: 'aborted', outputs: {} }]);
  expect((await createOwnedRun(store, { singleton: true })).run.status).toBe('not_started');
});
