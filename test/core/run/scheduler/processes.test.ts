import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../harness/resources.ts';
import { ScheduledHome } from '../dispatch-harness.ts';

const program = fileURLToPath(new URL('../../../programs/schedule-host.ts', import.meta.url));

/** A process that serves the schedules of the home, by the real clock. */
async function startHost(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      // A run of the killed host is recovered soon.
      ENGINE_SCHEDULER_ZOMBIE_DETECTION_INTERVAL: '1',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

const done = (home: ScheduledHome): string[] => {
  const file = path.join(home.home, 'done.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

const getStep = (home: ScheduledHome): string =>
  `overlap: allow\nsteps: ['echo $DAG_RUN_ID >> "${home.home}/done.txt"']\n`;

/** A workflow that is due every second and records each run. */
function everySecond(): ScheduledHome {
  const home = new ScheduledHome();
  home.write('tick', `schedule: "* * * * * *"\n${getStep(home)}`);
  return home;
}

/** Ends when a number of seconds have been served, nothing more is due, and all their runs have ended. */
async function served(home: ScheduledHome, count: number): Promise<void> {
  await until(() => home.fireTimes().length >= count);
  // On a busy machine there is an active run at any time, as long as another one follows each second.
  home.write('tick', getStep(home));
  await until(() => home.runs().every(({ status }) => status === 'succeeded'));
}

/**
 * Every second from the first to the last has its fire time, every fire time its run, and every run was executed once.
 */
function expectAllOnce(home: ScheduledHome): void {
  const fireTimes = home.fireTimes();
  const seconds = fireTimes.map(({ at }) => at / 1000);
  expect(seconds).toEqual(Array.from(seconds, (_, index) => seconds[0]! + index));
  expect(new Set(fireTimes.map(({ outcome }) => outcome))).toEqual(new Set(['started']));
  const runs = home.runs();
  expect(runs.length).toBeGreaterThanOrEqual(fireTimes.length);
  expect(done(home)).toHaveLength(runs.length);
  expect(new Set(done(home)).size).toBe(runs.length);
}

describe('several processes that serve one home', () => {
  it('start each fire time once, and another one takes over within seconds when the active one is killed', async () => {
    const home = everySecond();
    const hosts = await Promise.all([startHost(home.home), startHost(home.home)]);
    await until(
      () => home.schedulers().some(({ is_active: active }) => active === 1) && home.fireTimes().length >= 3,
    );
    const active = home.schedulers().find(({ is_active: isActive }) => isActive === 1)!;
    const killedAt = home.fireTimes().length;
    hosts.find(({ pid }) => pid === active.pid)!.kill('SIGKILL');
    await served(home, killedAt + 4);
    for (const host of hosts) host.kill('SIGKILL');
    expectAllOnce(home);
    const late = home.delays().filter((milliseconds) => milliseconds > 10_000);
    expect(late).toEqual([]);
  }, 60_000);
});
