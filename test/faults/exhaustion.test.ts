import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, recover, serve, waitFor } from './rig/kill.ts';

const isRoot = process.getuid?.() === 0;
const countEnded = async (home: FaultTestHome): Promise<number> =>
  (await home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL')).length;

/** A shell that sets a limit before it becomes the engine. */
const limited = (limit: string): string[] => ['sh', '-c', `ulimit ${limit}; exec "$@"`, 'sh'];

describe.concurrent('exhausted file descriptors', () => {
  it('delay steps, and end nothing wrongly', async () => {
    await withFaultTestHome(async (home) => {
      const items = Array.from({ length: 40 }, (_, index) => index + 1);
      home.save(
        'wide',
        `steps:\n  - name: each\n    parallel: { items: [${items.join(', ')}], maxConcurrent: 40 }\n    command: EFFECT; sleep 0.2\n`,
      );
      const { code, stderr } = await home.run(begin('wide'), {}, limited('-n 40'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ each: 40 });
    });
  });
});

describe.concurrent('a fork bomb', () => {
  /** An unused user; the limit counts all processes of a user. */
  const user = 65_000 + (process.pid % 500);
  /**
   * A shell gives up when it cannot fork, and leaves fewer the busier the machine is; `xargs` retries
   * forever. Its shells alone must not reach the limit: each that exits would make room for the next one, and
   * none for their children. `$0` is the number of seconds; it is escaped for the shell of the step.
   */
  const bomb = "yes 600 | xargs -P 15 -n 1 sh -c 'sleep \\$0 & sleep \\$0 & wait'";

  it.skipIf(!isRoot)('is ended with all its descendants by a limit, and disturbs no other run', async () => {
    await withFaultTestHome(async (home) => {
      const limits = `setpriv --reuid ${user} --clear-groups prlimit --nproc=40`;
      home.save(
        'bomb',
        `maxCleanUpTimeSec: 1\nsteps:\n  - name: bomb\n    command: EFFECT; exec ${limits} sh -c "${bomb}" 2> /dev/null\nhandlerOn: { abort: EFFECT }\n`,
      );
      home.save('calm', 'steps:\n  - { name: calm, command: EFFECT }\n');
      const bombing = home.start(begin('bomb'));
      await waitFor('the bomb', () => home.processes().length > 30);
      expect(await home.run(begin('calm'))).toMatchObject({ code: 0 });
      expect(await home.run(['stop', 'bomb', '--wait'])).toMatchObject({ code: 0 });
      expect(await bombing.ended).toMatchObject({ code: 1 });
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ bomb: 1, calm: 1, '@onAbort': 1 });
    });
  });
});

describe.concurrent('a flood of output', () => {
  const megabytes = 64;
  const flood = `EFFECT; touch begun; yes 0123456789abcde | head -c ${megabytes}M; while [ ! -e go ]; do sleep 0.02; done`;

  it('is completely in the log when the host is killed meanwhile', async () => {
    await withFaultTestHome(async (home) => {
      home.save('flood', `steps:\n  - { name: flood, command: "${flood}" }\n`);
      const host = home.start(begin('flood'));
      await waitFor('the step', () => home.has('begun'));
      host.kill('SIGKILL');
      await host.ended;
      home.releaseSteps();
      expect(await recover(home)).toMatchObject([{ status: 'succeeded' }]);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ flood: 1 });
      const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');
      const log = join(home.home, home.ran()[0]!, 'stdout.log');
      expect(statSync(log).size).toBe(megabytes * 1024 * 1024 + lines.length);
    });
  });
});

describe('hundreds of concurrent runs', () => {
  const count = process.env['FAULT_SEEDS'] === undefined ? 300 : 1000;
  /** More concurrent connections than that fail for other reasons than the engine. */
  const atOnce = 50;

  async function startSmall(url: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/v2/dags/small/start`, { method: 'POST', headers, body: '{}' });
    expect(await reply.json()).toMatchObject({ dagRunId: expect.any(String) });
  }

  it('lose nothing when their host is killed meanwhile', async () => {
    await withFaultTestHome(async (home) => {
      home.save('small', 'maxActiveRuns: -1\nsteps:\n  - { name: a, command: EFFECT }\n');
      const server = await serve(home, ['server', '--port', '0']);
      const url = /http:\S+/.exec(server.stdout())![0];
      for (let started = 0; started < count; started += atOnce)
        await Promise.all(Array.from({ length: atOnce }, () => startSmall(url)));
      await waitFor('a part of the runs', async () => (await countEnded(home)) > count / 10);
      server.kill('SIGKILL');
      await server.ended;
      const second = await serve(home, ['server', '--port', '0']);
      await waitFor('the ends of the runs', async () => (await countEnded(home)) === count, 100_000);
      await close(second);
      await checkHome(home);
      expect(await home.query("SELECT 1 FROM run WHERE status = 'succeeded'")).toHaveLength(count);
      expect(home.ranBySteps()).toEqual({ a: count });
    });
  }, 150_000);
});
