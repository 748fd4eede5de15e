import { describe, expect, it } from 'vitest';
import { resumePoints } from './points.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, casesForPoints, killAt, recover } from './rig/kill.ts';
import { resumable, resumedRan } from './workflows.ts';

const resume = ['retry', 'resumed', '--current', '--accept-removed', '--quiet'];

/** A run that has failed, whose file is mended since. */
async function failAndMend(home: FaultTestHome): Promise<void> {
  home.save('resumed', resumable(false));
  expect(await home.run(begin('resumed'))).toMatchObject({ code: 1 });
  home.save('resumed', resumable(true));
}

/** The run has succeeded with the mended text, and nothing ran twice or was lost. */
async function expectResumed(home: FaultTestHome): Promise<void> {
  expect(await home.query('SELECT is_sub, status FROM run ORDER BY is_sub')).toEqual([
    { is_sub: 0, status: 'succeeded' },
    { is_sub: 1, status: 'succeeded' },
  ]);
  await checkHome(home);
  expect(await home.query("SELECT count(*) AS retries FROM event WHERE type = 'run.retried'")).toEqual([
    { retries: 2 },
  ]);
}

describe.concurrent('the host that resumes a run with the current file, killed at a fault point', () => {
  it.each(casesForPoints(resumePoints))(
    '%s: the next host completes it with the mended text, everything once',
    async (_title, moment) => {
      await withFaultTestHome(async (home) => {
        await failAndMend(home);
        await killAt(home, moment, resume);
        // The resumed run has its own text.
        home.save('resumed', 'steps: [exit 3]');
        const recovered = await recover(home);
        if (moment.afterMs === 0) expect(recovered).toMatchObject([{ status: 'succeeded' }]);
        await expectResumed(home);
        expect(home.ranBySteps()).toEqual(resumedRan);
      });
    },
  );

  it('run.before_reopen: the run stays as it was, and the next resume completes it', async () => {
    await withFaultTestHome(async (home) => {
      await failAndMend(home);
      await killAt(home, 'run.before_reopen', resume);
      expect(await recover(home)).toEqual([]);
      expect(await home.query('SELECT status FROM run WHERE is_sub = 0')).toEqual([{ status: 'failed' }]);
      expect(await home.run(resume)).toMatchObject({ code: 0 });
      await expectResumed(home);
      expect(home.ranBySteps()).toEqual(resumedRan);
    });
  });
});
