import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestEngine } from '../../../harness/engine.ts';
import { until } from '../../../harness/resources.ts';
import { QueueHarness } from '../dispatch-harness.ts';

/** The run's directory cannot be named, so it does not become active. */
const hanging = 'logDir: "`sleep 1000`"';

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

describe('activation window', () => {
  it('discards a run that does not become active within 10 s; the next one is started', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    await harness.enqueue('hangs', {}, hanging);
    await harness.enqueue('next');
    await harness.engine.settle();
    await harness.clock.pass(9000);
    await harness.engine.settle();
    expect(await harness.get('hangs')).toMatchObject({ status: 'queued', wait: { kind: 'starting' } });
    await harness.clock.pass(2000);
    await harness.engine.settle();
    const view = await harness.get('hangs');
    expect(view).toMatchObject({ status: 'failed', cause: 'engine' });
    expect(view.error).toMatch(
      /^removed from queue job: the run did not start within 10 s after it was claimed by/,
    );
    harness.go('next');
    await harness.until('next', 'succeeded');
    expect(harness.engine.host.activeExecutions()).toEqual([]);
  });

  it('is enforced by another host when the claiming one is suspended', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    await harness.enqueue('hangs', {}, hanging);
    await harness.engine.settle();
    const other = new TestEngine({ home: harness.home });
    other.host.processQueues();
    await harness.engine.settle();
    await other.clock.pass(11_000);
    await harness.engine.settle();
    expect(await harness.get('hangs')).toMatchObject({ status: 'queued' });
    await other.clock.pass(3000);
    await harness.engine.settle();
    expect(await other.get({ name: 'job', dagRunId: 'hangs' })).toMatchObject({ status: 'failed' });
  });
});

describe('an invalid run at the head of a queue', () => {
  it('fails with the reason, and the runs behind it are started', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('broken', {}, 'description: broken');
    await harness.enqueue('good');
    harness.engine.changeStore("UPDATE spec SET text = 'steps: [' WHERE text LIKE '%broken%'");
    harness.engine.host.processQueues();
    harness.go('good');
    await harness.until('good', 'succeeded');
    const view = (await harness.engine.call('runs.list', { name: 'job' })).dagRuns.find(
      ({ dagRunId }) => dagRunId === 'broken',
    );
    expect(view).toMatchObject({ status: 'failed', cause: 'engine' });
    expect(view!.error).toMatch(/^the run could not be started from queue job: .*checksum mismatch/);
    expect(harness.engine.reports).toContain('Cannot start a run from its queue');
  });

  it('fails when its stored data cannot be read', async () => {
    const harness = new QueueHarness();
    await harness.enqueue('broken');
    await harness.enqueue('good');
    harness.engine.changeStore(
      "UPDATE run SET default_working_dir = '/none', spec_document = 7 WHERE run_id = 'broken'",
    );
    harness.engine.host.processQueues();
    harness.go('good');
    await harness.until('good', 'succeeded');
    expect(await harness.get('broken')).toMatchObject({ status: 'failed' });
  });
});

describe('a host that shuts down', () => {
  it('releases claimed runs that it has not started, and stops waiting', async () => {
    const harness = new QueueHarness();
    harness.engine.host.processQueues();
    const pidFile = path.join(harness.home, 'pid');
    await harness.enqueue(
      'a',
      {},
      `logDir: "\`echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 1000\`"`,
    );
    await until(() => existsSync(pidFile));
    expect((await harness.get('a')).wait?.kind).toBe('starting');
    await harness.engine.host.close('stop');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await until(() => isGone(pid));
    const later = new TestEngine({ home: harness.home, clock: harness.clock });
    expect(await later.get({ name: 'job', dagRunId: 'a' })).toMatchObject({
      status: 'queued',
      wait: { kind: 'no_host' },
    });
    await later.host.api.call('runs.dequeue', { name: 'job', dagRunId: 'a' }, { via: 'cli', name: 'ann' });
  });
});
