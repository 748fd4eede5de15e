import { describe, expect, it } from 'vitest';
import { recoveryPoints, runPoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { withFaultHome } from './rig/fault-home.ts';
import { begin, killAt, recover } from './rig/kill.ts';
import { waiting, waitingRan, whole, wholeRan } from './workflows.ts';

describe.concurrent('the host of a run, killed at a moment', () => {
  it.each(runPoints)('%s: the next one brings it to its end, everything once', async (point) => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, point, begin('whole'));
      expect(await recover(home)).toMatchObject([{ name: 'whole', status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });

  it('run.finished: there is nothing left to do', async () => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'run.finished@2', begin('whole'));
      expect(await recover(home)).toEqual([]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });

  it('run.before_create: there is no run, and the next start makes one', async () => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'run.before_create', begin('whole'));
      expect(home.ran()).toEqual([]);
      expect(await home.run(begin('whole'))).toMatchObject({ code: 0, stderr: '' });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });

  it('host.before_beat: a run that goes on for longer', async () => {
    await withFaultHome(async (home) => {
      home.save('waiting', waiting);
      await killAt(home, 'host.before_beat', begin('waiting'));
      home.letGo();
      expect(await recover(home)).toMatchObject([{ name: 'waiting', status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });

  it('run.reopened: a retry goes on', async () => {
    await withFaultHome(async (home) => {
      home.save(
        'retried',
        'steps:\n  - { name: a, command: EFFECT }\n  - { name: b, command: "EFFECT; test -e go" }\n',
      );
      expect(await home.run(begin('retried'))).toMatchObject({ code: 1 });
      home.letGo();
      await killAt(home, 'run.reopened', ['retry', 'retried', '--quiet']);
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1, b: 2 });
    });
  });

  it('recovery.before_start: a command that finds the run', async () => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'attempt.spawned', begin('whole'));
      await killAt(home, 'recovery.before_start', ['status', 'whole']);
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });
});

describe.concurrent('the host that takes over, killed at a moment', () => {
  it.each(recoveryPoints)('%s: a third one brings the run to its end, everything once', async (point) => {
    await withFaultHome(async (home) => {
      home.save('whole', whole);
      await killAt(home, 'attempt.spawned@3', begin('whole'));
      await killAt(home, point, ['recover', '--quiet']);
      expect(await recover(home)).toMatchObject([{ name: 'whole', status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(wholeRan);
    });
  });
});
