import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { begin, close, serve, waitFor, isSuspended } from './rig/kill.ts';

const server = ['server', '--port', '0'];
const plain = 'steps:\n  - { name: a, command: EFFECT }\n';
const urlOf = (host: Host): string => /http:\S+/.exec(host.stdout())![0];

const startOver = (host: Host): Promise<Response> =>
  fetch(`${urlOf(host)}/api/v2/dags/plain/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

/** A process that holds the write lock of the home's database until it is ended. */
async function lock(home: FaultTestHome) {
  const program = join(import.meta.dirname, '../programs/lock-holder.ts');
  const child = spawn(process.execPath, [program, home.database, 'scheduler'], { env: home.environment() });
  await once(child.stdout, 'data');
  return child;
}

describe.concurrent('a process halted inside a transaction', () => {
  it('makes other hosts reject writes and name it, while they keep responding', async () => {
    await withFaultTestHome(async (home) => {
      home.shorten({ databaseLock: 1000 });
      home.save('plain', plain);
      const host = await serve(home, server);
      const holder = await lock(home);
      holder.kill('SIGSTOP');
      const named = `Process ${holder.pid} (engine scheduler) locked the database`;
      const { code, stderr } = await home.run(begin('plain'));
      expect(code).toBe(7);
      expect(stderr).toContain(named);
      expect(stderr).toContain('The process is suspended');
      const reply = await startOver(host);
      expect(reply.status).toBe(503);
      expect(await reply.json()).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(named) as string,
      });
      expect((await fetch(`${urlOf(host)}/api/v2/health`)).status).toBe(200);
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      expect((await startOver(host)).status).toBe(200);
      await waitFor(
        'the end of the run',
        async () => (await home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL')).length === 1,
      );
      await close(host);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1 });
    });
  });
});

/** Longer than the header timeout of a request, and than the interval of its checks. */
const haltMs = 7000;

describe.concurrent('a halted server', () => {
  it('responds to 1,000 requests that arrived meanwhile', async () => {
    await withFaultTestHome(async (home) => {
      home.shorten({ requestHead: 5000, requestCheck: 1000 });
      const host = await serve(home, server);
      const { port } = new URL(urlOf(host));
      const open = async (): Promise<Socket> => {
        const socket = connect(Number(port), '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      };
      const sockets = await Promise.all(Array.from({ length: 1000 }, open));
      // All connections must be accepted before the first request.
      expect((await fetch(`${urlOf(host)}/api/v2/health`)).status).toBe(200);
      host.kill('SIGSTOP');
      await waitFor('the halt', () => isSuspended(host.pid));
      const replies = sockets.map((socket) => {
        socket.write(`GET /api/v2/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
        return text(socket);
      });
      await pause(haltMs);
      host.kill('SIGCONT');
      const lines = (await Promise.all(replies)).map((reply) => reply.slice(0, reply.indexOf('\r\n')));
      expect(new Set(lines)).toEqual(new Set(['HTTP/1.1 200 OK']));
      await close(host);
      await checkHome(home);
    });
  });
});
