import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEngine, systemClock, type EngineHost } from '../../../../core/index.ts';
import { QueueHarness } from '../dispatch-harness.ts';
import { testCaller } from '../../../harness/engine.ts';
import { silentLogger } from '../../../harness/fakes.ts';

const program = fileURLToPath(new URL('../../../programs/queue-host.ts', import.meta.url));
const enqueuer = fileURLToPath(new URL('../../../programs/queue-writer.ts', import.meta.url));

/** Starts a process that processes the queues of the home. */
async function startHost(home: string, failPoint?: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...(failPoint === undefined ? {} : { ENGINE_FAILPOINT: `${failPoint}:kill` }) },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

/** A host in this process that only monitors, on the real clock. */
function openWatcher(home: string): EngineHost {
  const host = openEngine({ home, clock: systemClock, logger: silentLogger, version: 'test' });
  onTestFinished(() => host.close('stop'));
  return host;
}

describe('several processes on one home', () => {
  it('start each queued run once, and within the limit', async () => {
    const harness = new QueueHarness('queues: {config: [{name: etl, maxConcurrency: 4}]}');
    const watcher = openWatcher(harness.home);
    const ids = Array.from({ length: 24 }, (_, index) => `run-${index}`);
    for (const id of ids) {
      harness.go(id);
      await harness.enqueue(id, {}, 'queue: etl');
    }
    await Promise.all([startHost(harness.home), startHost(harness.home)]);
    const ends = await Promise.all(ids.map((dagRunId) => watcher.waitForEnd({ name: 'job', dagRunId })));
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(harness.startedRuns.toSorted()).toEqual(ids.toSorted());
  }, 60_000);

  it.each(['queue.claimed', 'queue.before_start'])(
    'lose nothing and start nothing twice when one is killed at %s',
    async (failPoint) => {
      const harness = new QueueHarness();
      const watcher = openWatcher(harness.home);
      for (const id of ['a', 'b']) {
        harness.go(id);
        await harness.enqueue(id);
      }
      const first = await startHost(harness.home, failPoint);
      if (first.signalCode === null && first.exitCode === null) await once(first, 'exit');
      expect(harness.startedRuns).toEqual([]);
      const { status, wait } = await watcher.api.call('runs.get', { name: 'job', dagRunId: 'a' }, testCaller);
      expect({ status, kind: wait?.kind }).toEqual({ status: 'queued', kind: 'starting' });
      await startHost(harness.home);
      for (const dagRunId of ['a', 'b'])
        expect(await watcher.waitForEnd({ name: 'job', dagRunId })).toMatchObject({ status: 'succeeded' });
      expect(harness.startedRuns).toEqual(['a', 'b']);
    },
    60_000,
  );

  it.each(['queue.before_enqueue', 'queue.enqueued'])(
    'have the whole run or nothing of it when the enqueuing one is killed at %s',
    async (failPoint) => {
      const harness = new QueueHarness();
      const child = spawn(process.execPath, [enqueuer, harness.home, 'a'], {
        stdio: 'ignore',
        env: { ...process.env, ENGINE_FAILPOINT: `${failPoint}:kill` },
      });
      await once(child, 'exit');
      const { dagRuns } = await harness.engine.call('runs.list', {});
      expect(dagRuns.map(({ status }) => status)).toEqual(failPoint === 'queue.enqueued' ? ['queued'] : []);
    },
    60_000,
  );
});
