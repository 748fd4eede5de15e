import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultHome, withFaultHome } from './rig/fault-home.ts';
import { begin, close, serve } from './rig/kill.ts';
import { waitFor } from './rig/wait-for.ts';
import { waiting, waitingRan } from './workflows.ts';

const isEnded = (home: FaultHome): boolean =>
  home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL').length === 1;

/** Everything the database says of runs. */
const story = (home: FaultHome): unknown =>
  ['run', 'step', 'attempt', 'event'].map((table) => home.query(`SELECT * FROM ${table}`));

// The lease is 30 s of real time, which nothing but waiting passes in real processes; nothing else is done meanwhile.
describe.concurrent('a host that is halted for longer than its lease', () => {
  it('loses its run, and neither writes nor starts anything when it goes on', async () => {
    await withFaultHome(async (home) => {
      home.save('waiting', waiting);
      const stale = home.start(begin('waiting'));
      await waitFor('the step', () => home.has('begun'));
      await waitFor('its number', () => home.query('SELECT 1 FROM attempt WHERE pid > 0').length === 2);
      stale.kill('SIGSTOP');
      const server = await serve(home, ['server', '--port', '0']);
      const taken = "SELECT 1 FROM event WHERE type = 'run.taken_over'";
      await waitFor('the take-over', () => home.query(taken).length === 1, 80_000);
      home.letGo();
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
  }, 120_000);

  it('loses its run in the middle: whoever has it now does the rest', async () => {
    await withFaultHome(async (home) => {
      home.save('waiting', waiting);
      const stale = home.start(begin('waiting'));
      await waitFor('the step', () => home.has('begun'));
      stale.kill('SIGSTOP');
      const server = await serve(home, ['server', '--port', '0']);
      const taken = "SELECT 1 FROM event WHERE type = 'run.taken_over'";
      await waitFor('the take-over', () => home.query(taken).length === 1, 80_000);
      stale.kill('SIGCONT');
      home.letGo();
      await stale.ended;
      await waitFor('the end of the run', () => isEnded(home));
      await close(server);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  }, 120_000);
});

describe.concurrent('a host that is halted for a moment', () => {
  it('keeps its run', async () => {
    await withFaultHome(async (home) => {
      home.save('waiting', waiting);
      const host = home.start(begin('waiting'));
      await waitFor('the step', () => home.has('begun'));
      host.kill('SIGSTOP');
      const server = await serve(home, ['server', '--port', '0']);
      home.letGo();
      host.kill('SIGCONT');
      expect(await host.ended).toMatchObject({ code: 0 });
      await close(server);
      await checkHome(home);
      expect(home.query("SELECT 1 FROM event WHERE type = 'run.taken_over'")).toEqual([]);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });
});
