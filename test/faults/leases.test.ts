import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, serve, waitFor, isSuspended } from './rig/kill.ts';
import { waiting, waitingRan } from './workflows.ts';

const isEnded = async (home: FaultTestHome): Promise<boolean> =>
  (await home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL')).length === 1;

/** The complete state of the runs in the database. */
const story = (home: FaultTestHome): unknown =>
  ['run', 'step', 'attempt', 'event'].map((table) => home.query(`SELECT * FROM ${table}`));

/**
 * Where a host is halted. It must not be inside a transaction: while it holds the lock of the database no
 * other process can write, and only the system can release it.
 */
const moments = ['host.before_beat@4', 'attempt.ended@2', 'step.before_settle@2'] as const;

describe.concurrent('a host halted for longer than its lease', () => {
  it.each(moments)('loses its run, and neither writes nor starts anything afterwards: %s', async (point) => {
    await withFaultTestHome(async (home) => {
      home.shorten({ hostBeat: 400, hostLease: 2000 });
      home.save('waiting', waiting);
      const stale = home.start(begin('waiting'), { ENGINE_FAILPOINT: `${point}:stop` });
      if (point !== 'host.before_beat@4') home.releaseSteps();
      await waitFor('the halt', () => isSuspended(stale.pid));
      const server = await serve(home, ['server', '--port', '0']);
      const taken = "SELECT 1 FROM event WHERE type = 'run.recovered'";
      await waitFor('the take-over', async () => (await home.query(taken)).length === 1);
      home.releaseSteps();
      await waitFor('the end of the run', () => isEnded(home));
      const before = story(home);
      stale.kill('SIGCONT');
      const { code } = await stale.ended;
      expect(code).not.toBeNull();
      expect(story(home)).toEqual(before);
      await close(server);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });
});

describe.concurrent('a host halted briefly', () => {
  it('keeps its run', async () => {
    await withFaultTestHome(async (home) => {
      home.save('waiting', waiting);
      const host = home.start(begin('waiting'), { ENGINE_FAILPOINT: 'attempt.ended:stop' });
      await waitFor('the halt', () => isSuspended(host.pid));
      const server = await serve(home, ['server', '--port', '0']);
      home.releaseSteps();
      host.kill('SIGCONT');
      expect(await host.ended).toMatchObject({ code: 0 });
      await close(server);
      await checkHome(home);
      expect(await home.query("SELECT 1 FROM event WHERE type = 'run.recovered'")).toEqual([]);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });
});
