import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestEngine } from '../../rig/test-engine.ts';
import { until } from '../../rig/until.ts';
import { QueueHouse } from './queue-house.ts';

/** The run's folder cannot be named, so it does not become active. */
const hanging = 'logDir: "`sleep 1000`"';

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

describe('the activation window', () => {
  it('discards a run that does not become active within 10 s; the next one is started', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    await house.enqueue('hangs', {}, hanging);
    await house.enqueue('next');
    await house.settle();
    house.clock.advance(9000);
    await house.settle();
    expect(await house.get('hangs')).toMatchObject({ status: 'queued', wait: { kind: 'starting' } });
    house.clock.advance(2000);
    await house.settle();
    const view = await house.get('hangs');
    expect(view).toMatchObject({ status: 'failed', cause: 'engine' });
    expect(view.error).toMatch(
      /^removed from queue job: the run did not start within 10 s after it was claimed by/,
    );
    house.go('next');
    await house.until('next', 'succeeded');
    expect(house.engine.host.drivenRuns()).toEqual([]);
  });

  it('is kept by another host when the one that has claimed the run is halted', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    await house.enqueue('hangs', {}, hanging);
    await house.settle();
    const other = new TestEngine({ home: house.home });
    other.host.processQueues();
    await house.settle();
    other.clock.advance(11_000);
    await house.settle();
    expect(await house.get('hangs')).toMatchObject({ status: 'queued' });
    other.clock.advance(3000);
    await house.settle();
    expect(await other.get({ name: 'job', dagRunId: 'hangs' })).toMatchObject({ status: 'failed' });
  });
});

describe('a broken run at the head', () => {
  it('fails with the reason, and those behind it are started', async () => {
    const house = new QueueHouse();
    await house.enqueue('broken', {}, 'description: broken');
    await house.enqueue('good');
    house.changeStore("UPDATE spec SET text = 'steps: [' WHERE text LIKE '%broken%'");
    house.engine.host.processQueues();
    house.go('good');
    await house.until('good', 'succeeded');
    const view = (await house.call('runs.list', { name: 'job' })).dagRuns.find(
      ({ dagRunId }) => dagRunId === 'broken',
    );
    expect(view).toMatchObject({ status: 'failed', cause: 'engine' });
    expect(view!.error).toMatch(/^the run could not be started from queue job: .*checksum mismatch/);
    expect(house.engine.reports).toContain('Cannot start a run from its queue');
  });

  it('fails when what is kept of it cannot be read', async () => {
    const house = new QueueHouse();
    await house.enqueue('broken');
    await house.enqueue('good');
    house.changeStore(
      "UPDATE run SET default_working_dir = '/none', spec_document = 7 WHERE run_id = 'broken'",
    );
    house.engine.host.processQueues();
    house.go('good');
    await house.until('good', 'succeeded');
    expect(await house.get('broken')).toMatchObject({ status: 'failed' });
  });
});

describe('a host that is closed', () => {
  it('gives back what it has claimed and not started, and ends what it was waiting for', async () => {
    const house = new QueueHouse();
    house.engine.host.processQueues();
    const pidFile = path.join(house.home, 'pid');
    await house.enqueue(
      'a',
      {},
      `logDir: "\`echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 1000\`"`,
    );
    await until(() => existsSync(pidFile));
    expect((await house.get('a')).wait?.kind).toBe('starting');
    await house.engine.host.close('stop');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await until(() => isGone(pid));
    const later = new TestEngine({ home: house.home, clock: house.clock });
    expect(await later.get({ name: 'job', dagRunId: 'a' })).toMatchObject({
      status: 'queued',
      wait: { kind: 'no_host' },
    });
    await later.host.api.call('runs.dequeue', { name: 'job', dagRunId: 'a' }, { via: 'cli', name: 'ann' });
  });
});
