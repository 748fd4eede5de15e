import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultHome, type Host, withFaultHome } from './rig/fault-home.ts';
import { begin, close, serve } from './rig/kill.ts';
import { waitFor } from './rig/wait-for.ts';

const server = ['server', '--port', '0'];
const plain = 'steps:\n  - { name: a, command: EFFECT }\n';

// A loaded machine needs a second for what a host does at its start: the times are longer than that.

/** A host whose event loop stands still at a moment, with a watchdog of short times: note, warn, end and grace. */
const startBlocked = (home: FaultHome, words: readonly string[], point: string, times: string): Host =>
  home.start(words, { ENGINE_FAILPOINT: `${point}:block`, ENGINE_WATCHDOG_MS: times });

const quick = '1000,2000,5000,1000';
/** No limit but the one of the signal comes into play. */
const onlySignals = '1000,2000,600000,1000';
/** Nothing ends the process but the test. */
const onlyNotes = '1000,2000,600000,600000';

/** The watchdog has said what blocks the process. */
const isNamed = (host: Host) => (): boolean => host.stderr().includes('while working on');

const isReady = (host: Host) => (): boolean => host.stdout().includes('\n');

const countDeaths = (home: FaultHome): number => {
  const folder = join(home.home, 'data', 'deaths');
  return existsSync(folder) ? readdirSync(folder).length : 0;
};

/** Has a run waiting for a host that takes it over. */
async function leaveRun(home: FaultHome): Promise<void> {
  home.save('plain', plain);
  const { signal } = await home.run(begin('plain'), { ENGINE_FAILPOINT: 'run.before_steps:kill' });
  expect(signal).toBe('SIGKILL');
}

const readDag = async (host: Host): Promise<unknown> =>
  (await fetch(`${/http:\S+/.exec(host.stdout())![0]}/api/v2/dags/plain`)).json();

const statuses = (home: FaultHome) =>
  home.query<{ status: string; error: string }>('SELECT status, error FROM run');

describe.concurrent('a process whose event loop is blocked', () => {
  it('names the run and the stack, ends with exit code 75, and sets the run aside at the third start', async () => {
    await withFaultHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 2; death += 1) {
        const { code, stderr } = await startBlocked(home, server, 'run.before_scope', quick).ended;
        expect(code).toBe(75);
        expect(stderr).toMatch(
          /The event loop has been blocked for \S+ s while working on run \S+ of plain\./,
        );
        expect(stderr).toMatch(/at \S*blockEventLoop/);
        expect(stderr).toContain('ending the process with exit code 75');
        expect(countDeaths(home)).toBe(death);
      }
      const third = startBlocked(home, server, 'run.before_scope', quick);
      await waitFor('the end of the run', () => statuses(home)[0]?.status === 'failed');
      expect(statuses(home)).toEqual([
        { status: 'failed', error: 'Set aside: the engine process died twice while working on this run.' },
      ]);
      await waitFor('the message', () => /error: Set aside run \S+ of plain/.test(third.stderr()));
      await waitFor('the server', isReady(third));
      await close(third);
      expect(countDeaths(home)).toBe(0);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({});
    });
  });

  it('is counted when somebody kills it before the watchdog does', async () => {
    await withFaultHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 2; death += 1) {
        const host = startBlocked(home, server, 'run.before_scope', onlyNotes);
        await waitFor('the record', () => countDeaths(home) === death);
        host.kill('SIGKILL');
        await host.ended;
      }
      const third = startBlocked(home, server, 'run.before_scope', onlyNotes);
      await waitFor('the end of the run', () => statuses(home)[0]?.status === 'failed');
      await waitFor('the server', isReady(third));
      await close(third);
      expect(statuses(home)).toMatchObject([{ error: expect.stringContaining('Set aside') as string }]);
    });
  });

  it('does not count when the process was only killed while the run was under way', async () => {
    await withFaultHome(async (home) => {
      await leaveRun(home);
      for (let death = 1; death <= 3; death += 1) {
        const { signal } = await home.run(server, { ENGINE_FAILPOINT: 'run.before_steps:kill' });
        expect(signal).toBe('SIGKILL');
      }
      expect((await home.run(['recover'])).code).toBe(0);
      expect(statuses(home)).toMatchObject([{ status: 'succeeded' }]);
    });
  });

  it('has a file set aside until it changes', async () => {
    await withFaultHome(async (home) => {
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
        'Set aside: the engine process died twice while working on this file.',
      );
      home.save('plain', `# changed\n${plain}`);
      expect(JSON.stringify(await readDag(third))).not.toContain('Set aside');
      await close(third);
    });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends after %s', async (signal) => {
    await withFaultHome(async (home) => {
      await leaveRun(home);
      const host = startBlocked(home, server, 'run.before_scope', onlySignals);
      await waitFor('the message', isNamed(host));
      host.kill(signal);
      const { code, stderr } = await host.ended;
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect(stderr).toMatch(new RegExp(`has not ended \\S+ s after ${signal}`));
    });
  });

  it('is not ended for having been halted', async () => {
    await withFaultHome(async (home) => {
      const host = home.start(server, {
        ENGINE_FAILPOINT: 'run.before_scope:kill',
        ENGINE_WATCHDOG_MS: quick,
      });
      await waitFor('the server', isReady(host));
      host.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 7000));
      host.kill('SIGCONT');
      await close(host);
      expect(host.stderr()).not.toContain('ending the process');
    });
  });
});
