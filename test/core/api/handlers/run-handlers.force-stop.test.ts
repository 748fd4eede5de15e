import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TestEngine, testCaller } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';

/** Ignores the stop signal, and has a handler that would run after a normal stop. */
const stubborn = (mark: string): string => `name: stubborn
maxCleanUpTimeSec: 600
handlerOn: { abort: echo cleaning }
steps:
  - { name: deaf, script: "trap '' TERM; touch '${mark}'; while :; do sleep 0.2; done" }
`;

test('a forced stop kills steps that ignore signals, also after a graceful stop, and starts no handlers', async () => {
  const engine = new TestEngine();
  const mark = path.join(engine.home, 'listens');
  const run = await engine.start(stubborn(mark));
  await until(() => existsSync(mark));
  await engine.host.api.call('runs.stop', run, testCaller);
  expect((await engine.get(run)).status).toBe('running');
  await engine.host.api.call('runs.stop', { ...run, force: true }, testCaller);
  expect(await engine.end(run)).toMatchObject({
    status: 'aborted',
    stopRequestedBy: testCaller.name,
    steps: [{ name: 'deaf', status: 'aborted', attempts: [{ signal: 'SIGKILL' }] }],
  });
  expect((await engine.get(run)).handlers[0]?.status).not.toBe('succeeded');
  await expect(engine.host.api.call('runs.stop', { ...run, force: true }, testCaller)).rejects.toMatchObject({
    code: 'not_running',
  });
});
