import { expect, it } from 'vitest';
import { type RunEvent, runTransitions, stepTransitions } from '../../../../core/model/run-event.ts';
import { runStatuses, type StepStatus, stepStatuses } from '../../../../core/model/run.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, openTestStore } from '../store-harness.ts';

const node = { section: 'step', name: 'load' } as const;
const runStarted: RunEvent = { type: 'run.started', logDir: 'logs' };
const stepStarted: RunEvent = { type: 'step.started', node, attempt: 1, dir: 'load/1' };
const retry: RunEvent = { type: 'step.retry_scheduled', node, attempt: 1, dueAt: 0, exitCode: 3 };

const runEvents: Record<keyof typeof runTransitions, RunEvent> = {
  'run.created': { type: 'run.created', trigger: 'cli', params: [] },
  'run.retried': { type: 'run.retried', by: 'anna', steps: ['load'] },
  'run.started': runStarted,
  'run.stop_requested': { type: 'run.stop_requested', by: 'anna' },
  'run.finished': { type: 'run.finished', status: 'failed', outputs: {} },
};

const stepEvents: Record<keyof typeof stepTransitions, RunEvent> = {
  'step.started': { ...stepStarted, attempt: 2 },
  'step.spawned': { type: 'step.spawned', node, attempt: 1, pid: 5, pidStart: '8' },
  'step.waiting': { type: 'step.waiting', node, attempt: 1, reason: 'no worker matches gpu=yes' },
  'step.dispatched': { type: 'step.dispatched', node, attempt: 1, worker: 'w', host: 'h' },
  'step.approval_requested': {
    type: 'step.approval_requested',
    node,
    attempt: 1,
    id: 'q1',
    question: 'Go?',
    inputs: [],
    required: [],
  },
  'step.sub_run': { type: 'step.sub_run', node, name: 'child', dagRunId: '1' },
  'step.item_started': { type: 'step.item_started', node, attempt: 1, item: 1, value: 'a', dir: 'load/1/1' },
  'step.item_finished': { type: 'step.item_finished', node, attempt: 1, item: 1, status: 'failed' },
  'step.retry_scheduled': retry,
  'step.repeat_scheduled': { type: 'step.repeat_scheduled', node, attempt: 1, dueAt: 0 },
  'step.finished': { type: 'step.finished', node, attempt: 1, status: 'failed' },
  'step.ended': { type: 'step.ended', node, status: 'aborted', reason: 'stopped' },
};

/** Every event in every status, with the entry of the table for the pair. */
const pairs = <Type extends string, Status extends string>(
  table: Record<Type, readonly string[]>,
  statuses: readonly Status[],
): { type: Type; status: Status; legal: boolean }[] =>
  (Object.keys(table) as Type[]).flatMap((type) =>
    statuses.map((status) => ({ type, status, legal: table[type].includes(status) })),
  );

describeOnStores('a run', () => {
  it.each(pairs(runTransitions, runStatuses))(
    '$status, $type: legal $legal',
    async ({ type, status, legal }) => {
      const database = openTestDatabase();
      const store = createStore(database);
      const { run, write } = await createOwnedRun(store);
      // Statuses such as `queued` come from parts that do not exist yet.
      await database.perform(() => database.run('UPDATE run SET status = ?', status));
      const before = await store.findRun(run);
      // A run that has ended has no owner that could write: `reopenRun` records its retry.
      const written = legal && type !== 'run.retried';
      expect((await write([runEvents[type]])).outcome).toBe(written ? 'written' : 'illegal');
      if (!written) expect(await store.findRun(run)).toEqual(before);
      expect(await store.lastEventId()).toBe(written ? 2 : 1);
    },
  );

  it.each(['not_started', 'queued', 'running'] as const)('cannot finish as %s', async (status) => {
    const { write } = await createOwnedRun(openTestStore());
    expect((await write([{ type: 'run.finished', status, outputs: {} }])).outcome).toBe('illegal');
  });

  it.each(Object.values(stepEvents))('that has finished rejects $type', async (event) => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([runStarted, stepStarted, { type: 'run.finished', status: 'succeeded', outputs: {} }]);
    const before = await store.getDetail(run);
    expect((await write([event])).outcome).toBe('illegal');
    expect((await write([{ type: 'run.message', level: 'info', message: 'late' }])).outcome).toBe('illegal');
    expect(await store.getDetail(run)).toEqual(before);
  });

  it('keeps its first start and drops its owner at the end', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([runStarted], 10);
    await write([runStarted], 20);
    await write(
      [{ type: 'run.finished', status: 'failed', error: 'step load failed', outputs: { ROWS: [1, 'ä'] } }],
      30,
    );
    expect(await store.findRun(run)).toMatchObject({
      status: 'failed',
      startedAt: 10,
      finishedAt: 30,
      error: 'step load failed',
      outputs: { ROWS: [1, 'ä'] },
    });
    expect((await store.findRun(run))?.owner).toBeUndefined();
  });
});

/** The statuses a step can have in the store, and how it gets each. */
const stepPaths: Partial<Record<StepStatus, RunEvent[]>> = {
  not_started: [],
  running: [stepStarted],
  ...Object.fromEntries(
    (['succeeded', 'partially_succeeded', 'failed', 'aborted'] as const).map((status) => [
      status,
      [stepStarted, { type: 'step.finished', node, attempt: 1, status }],
    ]),
  ),
  skipped: [{ type: 'step.ended', node, status: 'skipped', reason: 'condition not met' }],
};

describeOnStores('a step', () => {
  const reachable = pairs(stepTransitions, stepStatuses).filter(
    ({ status }) => stepPaths[status] !== undefined,
  );

  it.each(reachable)('$status, $type: legal $legal', async ({ type, status, legal }) => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([runStarted, ...stepPaths[status]!]);
    // A second attempt starts only when the first has ended.
    if (status === 'running' && type === 'step.started') await write([retry]);
    if (status === 'running' && type === 'step.item_finished') await write([stepEvents['step.item_started']]);
    const before = await store.getDetail(run);
    expect((await write([stepEvents[type]])).outcome).toBe(legal ? 'written' : 'illegal');
    if (!legal) expect(await store.getDetail(run)).toEqual(before);
  });

  const finished: RunEvent = { type: 'step.finished', node, attempt: 1, status: 'succeeded' };
  it.each([
    ['a second concurrent attempt', [stepStarted], { ...stepStarted, attempt: 2 }],
    ['a reused attempt number', [stepStarted, retry], stepStarted],
    ['the end of another attempt', [stepStarted], { ...finished, attempt: 2 }],
    ['the end of an attempt that has ended', [stepStarted, retry], finished],
    ['a process for an attempt that has ended', [stepStarted, retry], stepEvents['step.spawned']],
    ['a second retry of one attempt', [stepStarted, retry], retry],
  ] as [string, RunEvent[], RunEvent][])('rejects %s', async (_, path, event) => {
    const { write } = await createOwnedRun(openTestStore());
    expect((await write([runStarted, ...path])).outcome).toBe('written');
    expect((await write([event])).outcome).toBe('illegal');
  });

  it('has a record of everything that happened to it', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const second = { ...stepStarted, attempt: 2, dir: 'load/2' } as RunEvent;
    await write(
      [runStarted, stepStarted, stepEvents['step.spawned'], retry, second, stepEvents['step.sub_run']],
      100,
    );
    const waiting = (await store.getDetail(run))!.steps[0]!;
    expect(waiting).toMatchObject({ status: 'running', startedAt: 101 });
    await write(
      [{ type: 'step.finished', node, attempt: 2, status: 'failed', signal: 'SIGKILL', error: 'killed' }],
      200,
    );
    expect((await store.getDetail(run))!.steps).toEqual([
      {
        node,
        status: 'failed',
        startedAt: 101,
        finishedAt: 200,
        signal: 'SIGKILL',
        error: 'killed',
        attempts: [
          {
            node,
            attempt: 1,
            dir: 'load/1',
            startedAt: 101,
            finishedAt: 103,
            pid: 5,
            pidStart: '8',
            exitCode: 3,
          },
          {
            node,
            attempt: 2,
            dir: 'load/2',
            startedAt: 104,
            finishedAt: 200,
            signal: 'SIGKILL',
            error: 'killed',
          },
        ],
        subRuns: [{ name: 'child', dagRunId: '1' }],
      },
    ]);
  });

  it.each([
    [{ error: 'timed out' }, 'timed out; retrying at 1970-01-01T00:00:00.000Z'],
    [{ signal: 'SIGTERM' }, 'Terminated by SIGTERM; retrying at 1970-01-01T00:00:00.000Z'],
    [{ exitCode: 3 }, 'Exit code 3; retrying at 1970-01-01T00:00:00.000Z'],
  ])('reports why it waits for its next attempt: %j', async (end, error) => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([
      runStarted,
      stepStarted,
      { type: 'step.retry_scheduled', node, attempt: 1, dueAt: 0, ...end },
    ]);
    expect((await store.getDetail(run))!.steps[0]).toMatchObject({ status: 'running', error });
  });

  it('ends its open attempt when it is finished', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    await write([runStarted, stepStarted], 100);
    await write([stepEvents['step.ended']], 200);
    expect((await store.getDetail(run))!.steps[0]).toMatchObject({
      status: 'aborted',
      finishedAt: 200,
      error: 'stopped',
      attempts: [{ attempt: 1, finishedAt: 200, error: 'stopped' }],
    });
  });

  it('stores its output, whatever the value', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    for (const [index, value] of ['', 'a\u0000b\ud800', null, { rows: [1] }].entries()) {
      const place = { section: 'step', name: `s${index}` } as const;
      await write([
        { ...stepStarted, node: place },
        {
          type: 'step.finished',
          node: place,
          attempt: 1,
          status: 'succeeded',
          output: { name: 'OUT', value },
        },
      ]);
      const step = (await store.getDetail(run))!.steps.find(
        (candidate) => candidate.node.name === place.name,
      );
      expect(step?.output).toEqual({ name: 'OUT', value });
    }
  });

  it('is distinguished from a handler of its name', async () => {
    const store = openTestStore();
    const { run, write } = await createOwnedRun(store);
    const handler = { section: 'handler', name: 'load' } as const;
    await write([stepStarted, { ...stepStarted, node: handler }]);
    await write([{ type: 'step.finished', node: handler, attempt: 1, status: 'succeeded' }]);
    expect(
      (await store.getDetail(run))!.steps.map((step) => [step.node, step.status, step.attempts.length]),
    ).toEqual([
      [handler, 'succeeded', 1],
      [node, 'running', 1],
    ]);
  });
});
