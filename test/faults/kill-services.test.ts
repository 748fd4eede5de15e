import { describe, expect, it } from 'vitest';
import { enqueuePoints, queuePoints, schedulePoints } from './points.ts';
import { checkEverySecond, checkHome } from './rig/check-home.ts';
import { withFaultTestHome } from './rig/fault-home.ts';
import { begin, casesForPoints, close, killAt, serve, waitFor, isSuspended } from './rig/kill.ts';
import {
  countEnded,
  countFireTimes,
  enqueue,
  everySecond,
  keepKilledSchedule,
  queued,
  scheduler,
  startKilledQueue,
  statuses,
} from './rig/scenarios.ts';
import { waiting, waitingRan } from './workflows.ts';

describe.concurrent('a queue', () => {
  it.each(casesForPoints(enqueuePoints))(
    'contains the whole run or nothing of it: %s',
    async (_title, moment, point) => {
      await withFaultTestHome(async (home) => {
        home.save('queued', queued);
        await killAt(home, moment, enqueue);
        await checkHome(home, { waiting: ['queued'] });
        const kept = await statuses(home);
        expect(kept.every((status) => status === 'queued')).toBe(true);
        if (moment.afterMs === 0) expect(kept).toHaveLength(point === 'queue.enqueued' ? 1 : 0);
        await home.run(enqueue);
        const all = kept.length + 1;
        const host = await serve(home, scheduler);
        await waitFor('the ends of the runs', async () => (await countEnded(home)) === all);
        await close(host);
        await checkHome(home);
        expect(home.ranBySteps()).toEqual({ a: all, b: all });
      });
    },
  );

  it.each(casesForPoints(queuePoints))('loses no run when its host is killed: %s', async (_title, moment) => {
    await expect(withFaultTestHome((home) => startKilledQueue(home, moment))).resolves.toBeUndefined();
  });

  it('returns a claim even if the host that returns it is killed: queue.before_return', async () => {
    await withFaultTestHome(async (home) => {
      home.save('queued', queued);
      const first = await serve(home, scheduler, 'queue.claimed:stop');
      await home.run(enqueue);
      const claimed = 'SELECT 1 FROM queue_item WHERE claimed_at IS NOT NULL';
      await waitFor('the claim', async () => (await home.query(claimed)).length === 1);
      const second = await serve(home, scheduler, 'queue.before_return:kill');
      first.kill('SIGKILL');
      expect((await second.ended).signal).toBe('SIGKILL');
      const last = await serve(home, scheduler);
      await waitFor('the end of the run', async () => (await countEnded(home)) === 1);
      await close(last);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1, b: 1 });
    });
  });

  it('preserves a run whose claim was about to be discarded: queue.before_discard', async () => {
    await withFaultTestHome(async (home) => {
      const naming = `while [ ! -e ${home.file('go')} ]; do sleep 0.05; done; echo ${home.home}/logs`;
      home.shorten({ queueActivation: 2000 });
      home.save('queued', `logDir: "\`${naming}\`"\n${queued}`);
      await home.run(enqueue);
      const first = await serve(home, scheduler, 'queue.before_discard:kill');
      expect((await first.ended).signal).toBe('SIGKILL');
      home.releaseSteps();
      home.shorten({});
      const second = await serve(home, scheduler);
      await waitFor('the end of the run', async () => (await countEnded(home)) === 1);
      await close(second);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1, b: 1 });
    });
  });
});

describe.concurrent('a schedule', () => {
  it.each(casesForPoints(schedulePoints))(
    'loses and repeats no scheduled time when its host is killed: %s',
    async (_title, moment) => {
      await expect(withFaultTestHome((home) => keepKilledSchedule(home, moment))).resolves.toBeUndefined();
    },
  );

  it('starts each scheduled time once with two schedulers', async () => {
    await withFaultTestHome(async (home) => {
      home.save('tick', everySecond);
      const hosts = await Promise.all([serve(home, scheduler), serve(home, scheduler)]);
      await waitFor('scheduled times', async () => (await countFireTimes(home)) > 4);
      expect(await home.query('SELECT 1 FROM scheduler_instance')).toHaveLength(2);
      await Promise.all(hosts.map(close));
      await checkHome(home);
      await checkEverySecond(home);
    });
  });

  it('starts a time once if its scheduler is halted there and resumes after another has served it', async () => {
    await withFaultTestHome(async (home) => {
      home.save('tick', everySecond);
      home.shorten({ serviceLease: 2500, serviceRenewal: 500 });
      // A time may be due before the ready line.
      const halted = home.start(scheduler, { ENGINE_FAILPOINT: 'scheduler.slot_due:stop' });
      await waitFor('the halt', () => isSuspended(halted.pid));
      const before = await countFireTimes(home);
      const other = await serve(home, scheduler);
      await waitFor('the other one', async () => (await countFireTimes(home)) > before + 1);
      halted.kill('SIGCONT');
      const served = await countFireTimes(home);
      await waitFor('scheduled times', async () => (await countFireTimes(home)) > served + 2);
      expect(isSuspended(halted.pid)).toBe(false);
      await close(halted);
      await close(other);
      await checkHome(home);
      await checkEverySecond(home);
    });
  });

  it('completes a restart in progress: scheduler.restart_begun', async () => {
    await withFaultTestHome(async (home) => {
      home.save('waiting', `schedule: { restart: "*/2 * * * * *" }\n${waiting}`);
      const run = home.start(begin('waiting'));
      await waitFor('the step', () => home.has('begun'));
      const first = await serve(home, scheduler, 'scheduler.restart_begun:kill');
      expect((await first.ended).signal).toBe('SIGKILL');
      expect((await run.ended).code).toBe(1);
      home.save('waiting', waiting);
      home.releaseSteps();
      const second = await serve(home, scheduler);
      await waitFor('the ends of the runs', async () => (await countEnded(home)) === 2);
      await close(second);
      await checkHome(home);
      expect(await statuses(home)).toEqual(['aborted', 'succeeded']);
      expect(home.ranBySteps()).toEqual({ ...waitingRan, first: 2, work: 2, '@onExit': 2, '@onAbort': 1 });
    });
  });
});
