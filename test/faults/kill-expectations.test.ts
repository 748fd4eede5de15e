import { describe, expect, it } from 'vitest';
import type { PingCheckDetailView } from '../../core/contract/pings.ts';
import { checkHome } from './rig/check-home.ts';
import { type Host, withFaultTestHome } from './rig/fault-home.ts';
import { close, serve, waitFor } from './rig/kill.ts';

const server = ['start-all', '--port', '0'];
const urlOf = (host: Host): string => /http:\/\/\S+/.exec(host.stdout())![0];

async function createCheck(host: Host): Promise<string> {
  const reply = await fetch(`${urlOf(host)}/api/v2/pings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'nas', periodSec: 86_400 }),
  });
  return new URL(((await reply.json()) as PingCheckDetailView).url).pathname;
}

describe.concurrent('expectations', () => {
  it('a ping that was answered is in the database after SIGKILL', async () => {
    await withFaultTestHome(async (home) => {
      const host = await serve(home, server);
      const path = await createCheck(host);
      const reply = await fetch(`${urlOf(host)}${path}/3`, { method: 'POST', body: 'no space left' });
      host.kill('SIGKILL');
      expect(reply.status).toBe(200);
      await host.ended;
      await checkHome(home);
      expect(await home.query('SELECT kind, exit_code, body FROM ping')).toEqual([
        { kind: 'fail', exit_code: 3, body: 'no space left' },
      ]);
    });
  });

  it('a ping is stored before it is answered', async () => {
    await withFaultTestHome(async (home) => {
      const host = await serve(home, server, 'ping.stored:kill');
      const path = await createCheck(host);
      await expect(fetch(`${urlOf(host)}${path}`)).rejects.toThrow('fetch failed');
      expect((await host.ended).signal).toBe('SIGKILL');
      await checkHome(home);
      expect(await home.query('SELECT kind FROM ping')).toEqual([{ kind: 'success' }]);
    });
  });

  it('a miss is decided once when the scheduler is killed', async () => {
    await withFaultTestHome(async (home) => {
      home.shorten({ expectationCheck: 100, expectationSettle: 100 });
      home.save('silent', 'expect: { every: 1s }\nsteps: ["true"]\n');
      const first = await serve(home, server, 'expectation.missed:kill');
      expect((await first.ended).signal).toBe('SIGKILL');
      const count = async (): Promise<number> =>
        (await home.query('SELECT 1 FROM missed_expectation')).length;
      expect(await count()).toBe(1);
      home.save('other', 'expect: { every: 1s }\nsteps: ["true"]\n');
      const second = await serve(home, server);
      await waitFor('the miss of the other workflow', async () => (await count()) > 1);
      await close(second);
      await checkHome(home);
      expect(await home.query('SELECT dag, kind FROM missed_expectation ORDER BY id')).toEqual([
        { dag: 'silent', kind: 'missing' },
        { dag: 'other', kind: 'missing' },
      ]);
    });
  });
});
