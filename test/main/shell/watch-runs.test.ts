import { expect, onTestFinished, test } from 'vitest';
import type { TrayPicture } from '../../../main/shell/tray.ts';
import { watchRuns } from '../../../main/shell/watch-runs.ts';
import { TestEngine } from '../../rig/test-engine.ts';
import { until } from '../../rig/until.ts';

function watch(engine: TestEngine): { shown: TrayPicture[]; stop: () => void } {
  const shown: TrayPicture[] = [];
  const stop = watchRuns(engine.host.api, engine.clock, (picture) => shown.push(picture));
  onTestFinished(stop);
  return { shown, stop };
}

const spec = 'name: etl\nsteps:\n  - echo hello\n';

test('tells at once what there is, and again after a run', async () => {
  const engine = new TestEngine();
  const { shown } = watch(engine);
  await until(() => shown.length === 1);
  expect(shown[0]).toEqual({ running: [], more: false, recent: [] });
  const run = await engine.run(spec);
  await until(() => {
    engine.clock.advance(250);
    return shown.at(-1)?.recent.length === 1;
  });
  expect(shown.at(-1)).toMatchObject({
    running: [],
    recent: [{ name: 'etl', dagRunId: run.dagRunId, status: 'succeeded' }],
  });
});

test('shows a run while it is active', async () => {
  const engine = new TestEngine();
  const { shown } = watch(engine);
  const run = await engine.start('name: long\nsteps:\n  - sleep 600\n');
  await until(() => {
    engine.clock.advance(10);
    return shown.at(-1)?.running[0]?.status === 'running';
  });
  expect(shown.at(-1)?.running).toMatchObject([{ name: 'long', dagRunId: run.dagRunId }]);
});

test('tells nothing any more when it was stopped', async () => {
  const engine = new TestEngine();
  const { shown, stop } = watch(engine);
  await until(() => shown.length === 1);
  stop();
  await engine.run(spec);
  engine.clock.advance(1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toHaveLength(1);
});
