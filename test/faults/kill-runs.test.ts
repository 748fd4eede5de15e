import { describe, expect, it } from 'vitest';
import { laterRunPoints, recoveryPoints, runPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { withFaultTestHome } from './rig/fault-home.ts';
import { begin, casesForPoints, killAt, recover, repeatedPoints } from './rig/kill.ts';
import { completeKilledRecovery, completeKilledRun } from './rig/scenarios.ts';
import { waiting, waitingRan, whole, wholeRan } from './workflows.ts';

describe.concurrent('the host of a run, killed at a fault point', () => {
  it.each(casesForPoints([...runPoints, ...repeatedPoints(laterRunPoints)]))(
    '%s: the next host completes it, everything once',
    async (_title, moment) => {
      await expect(withFaultTestHome((home) => completeKilledRun(home, moment))).resolves.toBeUndefined();
    },
  );

  it('run.finished: nothing is left to do', async () => {
    await withFaultTestHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'run.finished@2', begin('whole'));
      expect(await recover(home)).toEqual([]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });

  it('run.before_create: no run exists, and the next start creates one', async () => {
    await withFaultTestHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'run.before_create', begin('whole'));
      expect(home.ran()).toEqual([]);
      expect(await home.run(begin('whole'))).toMatchObject({ code: 0, stderr: '' });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });

  it('host.before_beat: a longer run', async () => {
    await withFaultTestHome(async (home) => {
      home.save('waiting', waiting);
      await killAt(home, 'host.before_beat', begin('waiting'));
      home.releaseSteps();
      expect(await recover(home)).toMatchObject([{ name: 'waiting', status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });

  it('run.reopened: a retry continues', async () => {
    await withFaultTestHome(async (home) => {
      home.save(
        'retried',
        'steps:\n  - { name: a, command: EFFECT }\n  - { name: b, command: "EFFECT; test -e go" }\n',
      );
      expect(await home.run(begin('retried'))).toMatchObject({ code: 1 });
      home.releaseSteps();
      await killAt(home, 'run.reopened', ['retry', 'retried', '--quiet']);
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1, b: 2 });
    });
  });

  it('recovery.before_start: a command that finds the run', async () => {
    await withFaultTestHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'attempt.spawned', begin('whole'));
      await killAt(home, 'recovery.before_start', ['status', 'whole']);
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });
});

describe.concurrent('the recovering host, killed at a fault point', () => {
  it.each(casesForPoints(recoveryPoints))(
    '%s: a third host completes the run, everything once',
    async (_title, moment) => {
      await expect(
        withFaultTestHome((home) => completeKilledRecovery(home, moment)),
      ).resolves.toBeUndefined();
    },
  );
});
