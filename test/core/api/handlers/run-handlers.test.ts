import { describe, expect, test } from 'vitest';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';

/** A home with five runs: a (fails), b, a, a with a sub-run of b. */
async function seed() {
  const engine = new TestEngine();
  await engine.run('name: a\nsteps: ["false"]', { dagRunId: 'a1' });
  await engine.run('name: b\nsteps: ["true"]', { dagRunId: 'b1' });
  await engine.run('name: a\nsteps: ["true"]', { dagRunId: 'a2' });
  await engine.run('name: a\nsteps: [{ name: sub, run: b }]\n---\nname: b\nsteps: ["true"]', {
    dagRunId: 'a3',
  });
  const list = (input: OperationInput<'runs.list'>) => engine.host.api.call('runs.list', input, testCaller);
  const ids = async (input: OperationInput<'runs.list'>) =>
    (await list(input)).dagRuns.map(({ dagRunId }) => (dagRunId.length > 2 ? 'sub' : dagRunId));
  return { engine, list, ids };
}

describe('run operations', () => {
  test('runs.list filters by name, status and origin, newest first', async () => {
    const { ids } = await seed();
    expect(await ids({})).toEqual(['a3', 'a2', 'b1', 'a1']);
    expect(await ids({ subRuns: true })).toEqual(['sub', 'a3', 'a2', 'b1', 'a1']);
    expect(await ids({ name: 'b', subRuns: true })).toEqual(['sub', 'b1']);
    expect(await ids({ status: ['failed'] })).toEqual(['a1']);
    expect(await ids({ name: 'a', status: ['succeeded', 'failed'] })).toEqual(['a3', 'a2', 'a1']);
    expect(await ids({ name: 'a', status: ['running'] })).toEqual([]);
    expect(await ids({ name: 'unknown' })).toEqual([]);
  });

  test('runs.list paginates stably while runs are added', async () => {
    const { engine, list } = await seed();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 1, cursor });
      seen.push(...page.dagRuns.map(({ dagRunId }) => dagRunId));
      cursor = page.nextCursor;
      if (seen.length === 2) await engine.run('name: late\nsteps: ["true"]');
    } while (cursor !== undefined);
    expect(seen).toEqual(['a3', 'a2', 'b1', 'a1']);
    await expect(list({ cursor: 'x; DROP TABLE run' })).rejects.toMatchObject({ code: 'bad_request' });
  });

  test.each(['runs.stop', 'runs.delete', 'runs.dequeue'] as const)(
    '%s requires the run’s own id, not `latest`',
    async (operation) => {
      const { engine } = await seed();
      const ask = (name: string, dagRunId: string) =>
        engine.host.api.call(operation, { name, dagRunId }, testCaller);
      await expect(ask('a', 'latest')).rejects.toMatchObject({
        code: 'not_found',
        message:
          'Use the run ID of "a", because "latest" can refer to another run by the time the request arrives.',
      });
      await expect(ask('a', 'a9')).rejects.toMatchObject({ message: 'Run "a9" of "a" not found.' });
    },
  );

  test('runs.get accepts an id or `latest`, which ignores sub-runs', async () => {
    const { engine } = await seed();
    expect((await engine.get({ name: 'b', dagRunId: 'latest' })).dagRunId).toBe('b1');
    expect((await engine.get({ name: 'a', dagRunId: 'latest' })).dagRunId).toBe('a3');
    await expect(engine.get({ name: 'a', dagRunId: 'b1' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(engine.get({ name: 'c', dagRunId: 'latest' })).rejects.toMatchObject({
      code: 'not_found',
      message: '"c" has no runs yet.',
    });
  });

  test('runs.subRuns lists runs started by steps', async () => {
    const { engine } = await seed();
    const subRuns = async (dagRunId: string) =>
      (await engine.host.api.call('runs.subRuns', { name: 'a', dagRunId }, testCaller)).subRuns;
    expect(await subRuns('a3')).toMatchObject([
      { name: 'b', status: 'succeeded', parent: { name: 'a', dagRunId: 'a3', step: 'sub' } },
    ]);
    expect(await subRuns('a2')).toEqual([]);
    await expect(subRuns('a9')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('runs.start marks a run whose text differs from the workflow file', async () => {
    const { engine } = await seed();
    const { api } = engine.host;
    const spec = 'steps: ["true"]';
    await api.call('dags.create', { name: 'saved', spec }, testCaller);
    const start = async (text: string) => {
      const run = await api.call('runs.start', { spec: text, fileName: 'saved' }, testCaller);
      await engine.end(run);
      const { dagRuns } = await api.call('runs.list', { dagRunId: run.dagRunId }, testCaller);
      return dagRuns.map(({ unsaved }) => unsaved);
    };
    expect(await start(spec)).toEqual([undefined]);
    expect(await start(`${spec} # changed`)).toEqual([true]);
  });

  test('runs.start records who started the run and rejects an invalid spec with its locations', async () => {
    const { engine } = await seed();
    const start = (spec: string) =>
      engine.host.api.call('runs.start', { spec, params: 'X=1' }, { via: 'http', name: 'script' });
    const run = await start('name: c\nsteps: ["true"]');
    expect(await engine.end(run)).toMatchObject({
      trigger: 'api',
      startedBy: 'script',
      params: [{ name: 'X', value: '1' }],
    });
    const { dagRunId: fromRunId } = run;
    const again = await engine.host.api.call(
      'runs.reschedule',
      { name: 'c', fromRunId },
      { via: 'ipc', name: 'anna' },
    );
    expect(await engine.end(again)).toMatchObject({ trigger: 'manual', startedBy: 'anna' });
    const found = (startedBy: string) =>
      engine.host.api.call('runs.list', { startedBy, subRuns: true }, testCaller);
    expect((await found('ANN')).dagRuns).toMatchObject([{ dagRunId: again.dagRunId, startedBy: 'anna' }]);
    expect((await found('nobody')).dagRuns).toEqual([]);
    await expect(start('steps: [{ comand: x }]')).rejects.toMatchObject({
      code: 'invalid_spec',
      details: { diagnostics: [{ line: 1, column: 11, path: 'steps[0].comand' }] },
    });
  });

  test('runs.get shows the text and steps of the run, whatever its file says now', async () => {
    const engine = new TestEngine();
    const spec = 'name: kept\nsteps: [{ name: old, command: "true" }]\nhandlerOn: { failure: "true" }';
    const view = await engine.run(spec, { name: 'other' });
    expect(view).toMatchObject({
      name: 'other',
      spec,
      workflow: { name: 'other', steps: [{ name: 'old' }] },
      steps: [{ name: 'old', status: 'succeeded' }],
      handlers: [{ name: 'onFailure', section: 'handler', status: 'not_started', attempts: [] }],
    });
  });

  test('system.info counts the active runs of this host', async () => {
    const engine = new TestEngine();
    const info = () => engine.host.api.call('system.info', {}, testCaller);
    expect(await info()).toMatchObject({ home: engine.home, version: 'test', activeRuns: 0 });
    const run = await engine.start('steps: [{ name: a, command: sleep 1000 }]');
    expect((await info()).activeRuns).toBe(1);
    engine.host.forceStop(run);
    await engine.end(run);
    expect((await info()).activeRuns).toBe(0);
  });
});
