import { oneByOne } from '../../../harness/resources.ts';
import { AppError } from '../../../../core/base/errors.ts';
import { RunStates } from '../../../../core/store/events/run-states.ts';
import { expect, it } from 'vitest';
import { createRun } from '../../../../core/store/runs/create-run.ts';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnStores, openTestDatabase } from '../../../harness/databases.ts';
import { createOwnedRun, describeRun, openTestStore, owner, thrownBy } from '../store-harness.ts';

describeOnStores('createRun', () => {
  it('adds a run that has not started, and its event', async () => {
    const store = openTestStore();
    const run = describeRun({
      spec: { text: 'name: etl', file: '/dags/etl.yaml', document: 2 },
      params: [{ name: 'DATE', value: 'ä "1"' }],
      defaultWorkingDir: '/data',
    });
    const record = await store.createRun(run, 1234);
    expect(record).toEqual({
      key: record.key,
      name: 'etl',
      dagRunId: run.dagRunId,
      status: 'not_started',
      trigger: 'cli',
      params: [{ name: 'DATE', value: 'ä "1"' }],
      createdAt: 1234,
      outputs: {},
      logDir: '',
      defaultWorkingDir: '/data',
      epoch: 0,
    });
    expect(await store.findRun(run)).toEqual(record);
    expect(await store.getDetail(run)).toMatchObject({
      run: record,
      spec: run.spec,
      recoveries: [],
      steps: [],
      lastEventId: 1,
    });
    expect(await store.listEvents(0, 10)).toEqual([
      {
        id: 1,
        dag: 'etl',
        dagRunId: run.dagRunId,
        at: 1234,
        event: { type: 'run.created', trigger: 'cli', params: run.params },
      },
    ]);
  });

  it('records the parent run and the root run', async () => {
    const store = openTestStore();
    const root = await store.createRun(describeRun(), 1);
    const child = await store.createRun(
      describeRun({ name: 'child', parent: { ...root, step: 'call' }, root }),
      2,
    );
    const rootRef = { name: root.name, dagRunId: root.dagRunId };
    expect(child.parent).toEqual({ ...rootRef, step: 'call' });
    expect(child.root).toEqual(rootRef);
  });

  it('rejects a run whose parent does not exist', async () => {
    const store = openTestStore();
    const run = describeRun({ parent: { name: 'gone', dagRunId: 'x', step: 'call' } });
    expect(await thrownBy(() => store.createRun(run, 1))).toMatchObject({ code: 'not_found' });
    expect(await store.findRun(run)).toBeUndefined();
  });

  it('counts the runs that are created together', async () => {
    const store = openTestStore();
    const at = 1;
    const outcomes = await store.createRuns([
      { ...describeRun({ dagRunId: 'first', maxActiveRuns: 1, owner }), at },
      { ...describeRun({ dagRunId: 'second', maxActiveRuns: 1, owner }), at },
      { ...describeRun({ dagRunId: 'first', name: 'other', owner, spec: { text: 'b', document: 0 } }), at },
      { ...describeRun({ dagRunId: 'first', name: 'other', owner, spec: { text: 'b', document: 0 } }), at },
      { ...describeRun({ dagRunId: 'alone', name: 'other', singleton: true }), at },
    ]);
    const codes = outcomes.map((outcome) => (outcome instanceof AppError ? outcome.code : outcome.dagRunId));
    expect(codes).toEqual(['first', 'max_run_reached', 'first', 'already_exists', 'still_running']);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(2);
    expect(await store.listHosts(10)).toHaveLength(1);
    expect((await store.listEvents(0, 10)).map(({ dag }) => dag)).toHaveLength(2);
  });

  it('accepts an id once for each workflow', async () => {
    const store = openTestStore();
    await store.createRun(describeRun({ dagRunId: 'mine' }), 1);
    const error = await thrownBy(() => store.createRun(describeRun({ dagRunId: 'mine' }), 2));
    expect(error.code).toBe('already_exists');
    expect(error.message).toContain('mine');
    await store.createRun(describeRun({ name: 'other', dagRunId: 'mine' }), 3);
    expect(await store.lastEventId()).toBe(2);
  });

  it('stores a text once, however many runs execute it', async () => {
    const database = openTestDatabase();
    for (const text of ['a', 'b', 'a', 'a']) {
      await createRun(database, describeRun({ spec: { text, document: 0 } }), 1, new RunStates());
    }
    expect(await database.perform(() => database.all('SELECT text FROM spec ORDER BY key'))).toEqual([
      { text: 'a' },
      { text: 'b' },
    ]);
  });

  it('stores the base configuration the same way', async () => {
    const database = openTestDatabase();
    const store = createStore(database);
    const spec = { text: 'a', base: 'env: {}', document: 0 };
    const runs = await oneByOne([spec, spec, { text: 'env: {}', document: 0 }], (each) =>
      store.createRun(describeRun({ spec: each }), 1),
    );
    const details = await Promise.all(runs.map((run) => store.getDetail(run)));
    expect(details.map((detail) => detail?.spec)).toMatchObject([
      spec,
      spec,
      { text: 'env: {}', document: 0 },
    ]);
    expect(await database.perform(() => database.all('SELECT text FROM spec ORDER BY key'))).toEqual([
      { text: 'a' },
      { text: 'env: {}' },
    ]);
  });
});

describeOnStores('maxActiveRuns', () => {
  it('counts the active runs of the same name, in any active status', async () => {
    const store = openTestStore();
    const running = await createOwnedRun(store, { maxActiveRuns: 2 });
    await running.write([{ type: 'run.started', logDir: 'logs' }]);
    await store.createRun(describeRun({ name: 'other' }), 2);
    await store.createRun(describeRun({ maxActiveRuns: 2 }), 2);
    const refused = describeRun({ maxActiveRuns: 2 });
    const error = await thrownBy(() => store.createRun(refused, 3));
    expect(error).toMatchObject({ code: 'max_run_reached', details: { active: 2, maxActiveRuns: 2 } });
    expect(await store.findRun(refused)).toBeUndefined();
    await running.write([{ type: 'run.finished', status: 'failed', outputs: {} }]);
    expect((await store.createRun(refused, 4)).status).toBe('not_started');
  });

  it('is unlimited when negative', async () => {
    const store = openTestStore();
    for (let count = 0; count < 5; count += 1)
      await store.createRun(describeRun({ maxActiveRuns: -1 }), count);
    expect(await store.listRuns({ limit: 10 })).toHaveLength(5);
  });

  it('neither limits nor counts runs started by a step', async () => {
    const store = openTestStore();
    const root = await store.createRun(describeRun({ name: 'root' }), 1);
    const parent = { ...root, step: 'call' };
    for (let count = 0; count < 3; count += 1) {
      await store.createRun(describeRun({ parent, root, maxActiveRuns: 1 }), 2);
    }
    expect((await store.createRun(describeRun({ maxActiveRuns: 1 }), 3)).parent).toBeUndefined();
  });
});
