import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEngine, systemClock, type Engine } from '../../../../core/index.ts';
import { QueueHarness } from '../dispatch-harness.ts';
import { silentLogger } from '../../../harness/fakes.ts';

const program = fileURLToPath(new URL('../../../programs/schedule-host.ts', import.meta.url));

/** Starts a process that processes the queues of the home. */
async function startHost(home: string): Promise<void> {
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
}

/** A host in this process that only monitors, on the real clock. */
async function openWatcher(home: string): Promise<Engine> {
  const host = await openEngine({ home, clock: systemClock, logger: silentLogger, version: 'test' });
  onTestFinished(() => host.close('stop'));
  return host;
}

describe('several processes on one home', () => {
  it('start each queued run once, and within the limit', async () => {
    const harness = new QueueHarness('queues: {config: [{name: etl, maxConcurrency: 4}]}');
    const watcher = await openWatcher(harness.home);
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
});
