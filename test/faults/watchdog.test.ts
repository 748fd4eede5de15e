import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Timings } from '../../core/base/timings.ts';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, serve, waitFor } from './rig/kill.ts';

const server = ['server', '--port', '0'];
const plain = 'steps:\n  - { name: a, command: EFFECT }\n';

// A loaded machine needs seconds to start a host: the timeout is longer than that, and messages before the
// end may be about the start.

/** A host whose event loop blocks at a fault point, with a watchdog of short times. */
function startBlocked(
  home: FaultTestHome,
  words: readonly string[],
  point: string,
  times: Partial<Timings>,
): Host {
  home.shorten(times);
  const host = home.start(words, { ENGINE_FAILPOINT: `${point}:block` });
  home.shorten({});
  return host;
}

const quick = { stallBeat: 250, stallNote: 1000, stallWarning: 2000, stallEnd: 7000, stallGrace: 1000 };
/**
 * Requests the stack only long after the host has reached the fail point, also on a loaded machine: it is
 * requested once.
 */
const late = { ...quick, stallNote: 4000, stallWarning: 5000 };
/** Only the limit of the signal applies. */
const onlySignals = { ...quick, stallEnd: 600_000 };
/** Only the test ends the process. */
const onlyNotes = { ...onlySignals, stallGrace: 600_000 };

const isReady = (host: Host) => (): boolean => host.stdout().includes('\n');

const countCrashes = (home: FaultTestHome): number => {
  const folder = join(home.home, 'data', 'deaths');
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

/** Leaves a run for a host that recovers it. */
async function leaveRun(home: FaultTestHome): Promise<void> {
  home.save('plain', plain);
  const { signal } = await home.run(begin('plain'), { ENGINE_FAILPOINT: 'run.before_steps:kill' });
  expect(signal).toBe('SIGKILL');
}

const readDag = async (host: Host): Promise<unknown> =>
  (await fetch(`${/http:\S+/.exec(host.stdout())![0]}/api/v2/dags/plain`)).json();

const statuses = (home: FaultTestHome) =>
  home.query<{ status: string; error: string }>('SELECT status, error FROM run');

describe.concurrent('a process whose event loop is blocked', { timeout: 150_000 }, () => {
  it('reports the run and the stack, exits with code 75, and sets the run aside at the third start', async () => {
    await withFaultTestHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 2; death += 1) {
        const { code, stderr } = await startBlocked(home, server, 'run.before_scope', late).ended;
        expect(code).toBe(75);
        expect(stderr).toMatch(
          /ending the process with exit code 75 while working on run \S+ of plain\.\n.*Atomics\.wait.*\n.*at \S*blockEventLoop/,
        );
        expect(countCrashes(home)).toBe(death);
      }
      const third = startBlocked(home, server, 'run.before_scope', late);
      await waitFor('the end of the run', async () => (await statuses(home))[0]?.status === 'failed');
      expect(await statuses(home)).toEqual([
        { status: 'failed', error: 'Skipped: the engine process crashed twice while working on this run.' },
      ]);
      await waitFor('the message', () => /error: Skipped run \S+ of plain/.test(third.stderr()));
      await waitFor('the server', isReady(third));
      await close(third);
      expect(countCrashes(home)).toBe(0);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({});
    });
  });

  it('is counted when it is killed before the watchdog acts', async () => {
    await withFaultTestHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 2; death += 1) {
        const host = startBlocked(home, server, 'run.before_scope', onlyNotes);
        await waitFor('the record', () => countCrashes(home) === death);
        host.kill('SIGKILL');
        await host.ended;
      }
      const third = startBlocked(home, server, 'run.before_scope', onlyNotes);
      await waitFor('the end of the run', async () => (await statuses(home))[0]?.status === 'failed');
      await waitFor('the server', isReady(third));
      await close(third);
      expect(await statuses(home)).toMatchObject([
        { error: expect.stringContaining('Skipped: the engine process crashed twice') as string },
      ]);
    });
  });

  it('is not counted when it was only killed during the run', async () => {
    await withFaultTestHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 3; death += 1) {
        const { signal } = await home.run(server, { ENGINE_FAILPOINT: 'run.before_steps:kill' });
        expect(signal).toBe('SIGKILL');
      }
      expect((await home.run(['recover'])).code).toBe(0);
      expect(await statuses(home)).toMatchObject([{ status: 'succeeded' }]);
    });
  });

  it('sets a file aside until it changes', async () => {
    await withFaultTestHome(async (home) => {
      const file = home.save('plain', plain);
      for (let death = 1; death <= 2; death += 1) {
        const host = startBlocked(home, server, 'workflow.before_check', quick);
        await waitFor('the server', isReady(host));
        await expect(readDag(host)).rejects.toThrow('fetch failed');
        const { code, stderr } = await host.ended;
        expect(code).toBe(75);
        expect(stderr).toContain(`while working on ${file}`);
      }
      const third = await serve(home, server);
      expect(JSON.stringify(await readDag(third))).toContain(
        'Skipped: the engine process crashed twice while working on this file.',
      );
      home.save('plain', `# changed\n${plain}`);
      expect(JSON.stringify(await readDag(third))).not.toContain('crashed twice');
      await close(third);
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('exits after %s', async (signal) => {
    await withFaultTestHome(async (home) => {
      await leaveRun(home);
      const host = startBlocked(home, server, 'run.before_scope', onlySignals);
      await waitFor('the record', () => countCrashes(home) === 1);
      host.kill(signal);
      const { code, stderr } = await host.ended;
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect(stderr).toMatch(new RegExp(`has not ended \\S+ s after ${signal}`));
    });
  });

  it('is not ended for having been halted', async () => {
    await withFaultTestHome(async (home) => {
      home.shorten(quick);
      const host = home.start(server);
      await waitFor('the server', isReady(host));
      host.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, quick.stallEnd + 2000));
      host.kill('SIGCONT');
      await close(host);
      expect(host.stderr()).not.toContain('ending the process');
    });
  });
});
