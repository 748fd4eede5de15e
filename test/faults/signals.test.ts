import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { browser, startDesktop, type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, serve, waitFor } from './rig/kill.ts';
import { waiting, waitingRan } from './workflows.ts';

const aborted = { first: 1, work: 1, '@onAbort': 1, '@onExit': 1 };

/** Starts the run through a server. */
async function startByServer(_home: FaultTestHome, host: Host): Promise<void> {
  const url = /http:\S+/.exec(host.stdout())![0];
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/api/v2/dags/waiting/start`, { method: 'POST', headers, body: '{}' });
  expect(reply.status).toBe(200);
}

/** Starts the run through a queue. */
async function enqueue(home: FaultTestHome): Promise<void> {
  expect(await home.run(['enqueue', 'waiting', '--default-working-dir', '.'])).toMatchObject({ code: 0 });
}

/** Hosts of runs, how a run gets to them, and their exit codes. */
const hosts = [
  ['start', begin('waiting'), undefined, 143],
  ['server', ['server', '--port', '0'], startByServer, 0],
  ['start-all', ['start-all', '--port', '0'], startByServer, 0],
  ['start-all, by its queue', ['start-all', '--port', '0'], enqueue, 0],
  ['scheduler', ['scheduler', '--port', '0'], enqueue, 0],
] as const;

describe.concurrent('SIGTERM', () => {
  it.each(hosts)('ends the runs of engine %s gracefully', async (_what, words, startRun, code) => {
    await withFaultTestHome(async (home) => {
      home.save('waiting', `workingDir: ${home.cwd}\n${waiting}`);
      const host = startRun === undefined ? home.start(words) : await serve(home, words);
      await startRun?.(home, host);
      await waitFor('the step', () => home.has('begun'));
      host.kill('SIGTERM');
      expect(await host.ended).toMatchObject({ code });
      await checkHome(home);
      expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'aborted' }]);
      expect(home.ranBySteps()).toEqual(aborted);
    });
  });

  it.skipIf(browser === undefined)(
    'ends the runs of the desktop app gracefully, without a dialog',
    async () => {
      await withFaultTestHome(async (home) => {
        home.save('waiting', `workingDir: ${home.cwd}\n${waiting}`);
        await enqueue(home);
        const host = startDesktop(home);
        await waitFor('the step', () => home.has('begun'));
        host.kill('SIGTERM');
        expect(await host.ended).toMatchObject({ code: 0 });
        await checkHome(home);
        expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'aborted' }]);
        expect(home.ranBySteps()).toEqual(aborted);
      });
    },
  );

  it.each(['server', 'start-all'])(
    'sent to engine %s --on-stop leave leaves its runs to the next host',
    async (command) => {
      await withFaultTestHome(async (home) => {
        home.save('waiting', `workingDir: ${home.cwd}\n${waiting}`);
        const words = [command, '--port', '0', '--on-stop', 'leave'];
        const first = await serve(home, words);
        await startByServer(home, first);
        await waitFor('the step', () => home.has('begun'));
        first.kill('SIGTERM');
        expect(await first.ended).toMatchObject({ code: 0 });
        expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'running' }]);
        const second = await serve(home, words);
        home.releaseSteps();
        const done = 'SELECT 1 FROM run WHERE finished_at IS NOT NULL';
        await waitFor('the end of the run', async () => (await home.query(done)).length === 1);
        await close(second);
        await checkHome(home);
        expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'succeeded' }]);
        expect(home.ranBySteps()).toEqual(waitingRan);
      });
    },
  );

  it('sent to engine recover leaves its runs to the next host', async () => {
    await withFaultTestHome(async (home) => {
      home.save('waiting', waiting);
      const first = home.start(begin('waiting'));
      await waitFor('the step', () => home.has('begun'));
      first.kill('SIGKILL');
      await first.ended;
      const recovery = await serve(home, ['recover']);
      recovery.kill('SIGTERM');
      await recovery.ended;
      const server = await serve(home, ['server', '--port', '0']);
      home.releaseSteps();
      const done = 'SELECT 1 FROM run WHERE finished_at IS NOT NULL';
      await waitFor('the end of the run', async () => (await home.query(done)).length === 1);
      await close(server);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual(waitingRan);
    });
  });
});
