import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LogExtent } from '../../../../core/contract/logs.ts';
import type { StreamInput } from '../../../../core/contract/operations.ts';
import { openStore } from '../../../../core/store/open-store.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { createOwnedRun } from '../../store/store-harness.ts';

/** What a log subscriber received, and whether it was notified of the end. */
function follow(engine: TestEngine, input: StreamInput<'logs.follow'>) {
  const told = { extents: [] as LogExtent[], ended: false, error: undefined as unknown };
  const dispose = engine.host.api.follow(
    'logs.follow',
    input,
    {
      item: (extent) => told.extents.push(extent),
      end: (error) => Object.assign(told, { ended: true, error }),
    },
    testCaller,
  );
  return { told, dispose };
}

const spec = `
name: talk
steps:
  - { name: say, command: 'echo one; echo oops >&2; while [ ! -e go ]; do sleep 0.01; done; printf two' }
handlerOn: { exit: echo bye }`;

describe('log operations', () => {
  test('read lines and bytes of steps and handlers, by stream', async () => {
    const engine = new TestEngine();
    const folder = makeTemporaryFolder();
    writeFileSync(path.join(folder, 'go'), '');
    const { name, dagRunId } = await engine.run(spec, { defaultWorkingDir: folder });
    const { api } = engine.host;
    const lines = await api.call('logs.lines', { name, dagRunId, step: 'say' }, testCaller);
    expect(lines).toEqual({ size: 7, totalLines: 2, complete: true, from: 0, lines: ['one', 'two'] });
    const errors = await api.call(
      'logs.lines',
      { name, dagRunId, step: 'say', stream: 'stderr' },
      testCaller,
    );
    expect(errors.lines).toEqual(['oops']);
    const last = await api.call('logs.lines', { name, dagRunId, step: 'say', from: -1 }, testCaller);
    expect(last).toMatchObject({ from: 1, lines: ['two'] });
    const bytes = await api.call(
      'logs.bytes',
      { name, dagRunId, step: 'say', offset: 2, length: 3 },
      testCaller,
    );
    expect(Buffer.from(bytes.data, 'base64').toString()).toBe('e\nt');
    const handler = { name, dagRunId, step: 'onExit', section: 'handler' } as const;
    expect((await api.call('logs.lines', handler, testCaller)).lines).toEqual(['bye']);
  });

  test('read logs outside of the home, where the run says', async () => {
    const engine = new TestEngine();
    const logDir = makeTemporaryFolder();
    mkdirSync(path.join(logDir, 'say.1'));
    writeFileSync(path.join(logDir, 'say.1/stdout.log'), 'elsewhere\n');
    const store = openStore({ file: path.join(engine.home, 'data/engine.db') });
    const { run, write } = await createOwnedRun(store, {
      spec: { text: 'steps: [{name: say, command: a}]', document: 0 },
    });
    await write([
      { type: 'run.started', logDir },
      { type: 'step.started', node: { section: 'step', name: 'say' }, attempt: 1, dir: 'say.1' },
    ]);
    store.close();
    const { name, dagRunId } = run;
    const log = await engine.host.api.call('logs.lines', { name, dagRunId, step: 'say' }, testCaller);
    expect(log.lines).toEqual(['elsewhere']);
    const view = await engine.get(run);
    expect(view.logDir).toBe(logDir);
    expect(view.steps[0]!.attempts[0]!.stdoutFile).toBe(path.join(logDir, 'say.1/stdout.log'));
  });

  test.each(['../say', '..', '/etc/passwd', 'say.1'])(
    'open no file named by the caller: %s',
    async (step) => {
      const engine = new TestEngine();
      const { name, dagRunId } = await engine.run('name: x\nsteps: [{ name: say, command: echo a }]');
      for (const call of ['logs.lines', 'logs.bytes'] as const)
        await expect(engine.host.api.call(call, { name, dagRunId, step }, testCaller)).rejects.toMatchObject({
          code: 'not_found',
        });
    },
  );

  test('report what has no log', async () => {
    const engine = new TestEngine();
    const { name, dagRunId } = await engine.run('name: x\nsteps: ["false", "true"]');
    const read = (step: string, more = {}) =>
      engine.host.api.call('logs.lines', { name, dagRunId, step, ...more }, testCaller);
    await expect(read('cmd_2')).rejects.toMatchObject({
      code: 'not_found',
      message: `Step "cmd_2" of run ${dagRunId} has not started or does not exist.`,
    });
    await expect(read('onExit', { section: 'handler' })).rejects.toThrow(/^Handler "onExit"/);
    await expect(read('../../../etc/passwd')).rejects.toMatchObject({ code: 'not_found' });
    const { told } = follow(engine, { name, dagRunId, step: 'cmd_2' });
    await until(() => told.ended);
    expect(told).toMatchObject({ ended: true, error: { code: 'not_found' } });
  });

  test.each(['id', 'latest'])(
    'follow a log of the run named by %s until the attempt has ended',
    async (by) => {
      const engine = new TestEngine();
      const folder = makeTemporaryFolder();
      const run = await engine.start(spec, { defaultWorkingDir: folder });
      await engine.untilRun(run, (view) => view.steps[0]!.attempts[0]?.pid !== undefined);
      const dagRunId = by === 'id' ? run.dagRunId : 'latest';
      const { told } = follow(engine, { name: run.name, dagRunId, step: 'say' });
      const moved = (): boolean => {
        engine.clock.advance(10);
        return true;
      };
      await until(() => moved() && told.extents.at(-1)?.size === 4);
      expect(told).toMatchObject({ ended: false, error: undefined });
      writeFileSync(path.join(folder, 'go'), '');
      await until(() => moved() && told.ended);
      expect(told.extents.at(-1)).toEqual({ size: 7, totalLines: 2, complete: true });
      expect(told.error).toBeUndefined();
      await engine.end(run);
    },
  );
});
