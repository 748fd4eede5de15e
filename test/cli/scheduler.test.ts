import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { findFreePort } from '../harness/servers/ports.ts';
import { describe, expect, it } from 'vitest';
import {
  makeTestHome,
  runEngine,
  saveDag,
  startEngine,
  waitForText,
  type TestHome,
} from '../harness/home-and-command.ts';
import { waitUntilPasses } from '../harness/resources.ts';

/** A workflow that is due every second. */
function placeWithTick(): TestHome {
  const place = makeTestHome();
  saveDag(place, 'tick', 'schedule: "* * * * * *"\nsteps: [echo tick]\n');
  return place;
}

/** Returns a free port. */
function takePort(): Promise<{ port: number; blocker: Server }> {
  const blocker = createServer();
  return new Promise((resolve) => {
    blocker.listen(0, '127.0.0.1', () => {
      const address = blocker.address();
      resolve({ blocker, port: typeof address === 'object' && address ? address.port : 0 });
    });
  });
}

describe('engine scheduler', () => {
  it('starts due runs, answers its health check, and closes on SIGTERM', async () => {
    const place = placeWithTick();
    const port = await findFreePort();
    const scheduler = startEngine(place, ['scheduler', '--port', String(port)]);
    await waitForText(scheduler.stdout, /Stepwright scheduler started for .*health check at http.*\n/);
    const reply = await fetch(`http://127.0.0.1:${port}/health`);
    expect({ status: reply.status, body: await reply.json() }).toEqual({
      status: 200,
      body: { status: 'healthy' },
    });
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/health`, { method: 'POST' })).status).toBe(405);
    await waitUntilPasses(async () => {
      const { stdout } = await runEngine(place, ['history', 'tick', '--format', 'json']);
      const { dagRuns } = JSON.parse(stdout) as { dagRuns: object[] };
      expect(dagRuns).toContainEqual(expect.objectContaining({ trigger: 'schedule', status: 'succeeded' }));
    }, 100);
    expect((await runEngine(place, ['dags'])).stderr).toBe('');
    scheduler.kill('SIGTERM');
    expect(await scheduler.ended).toMatchObject({ code: 0 });
  });

  it('rejects a port in use, and works without one', async () => {
    const { port, blocker } = await takePort();
    const taken = await runEngine(makeTestHome(), ['scheduler', '--port', String(port)]);
    blocker.close();
    expect(taken).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringContaining('ENGINE_SCHEDULER_PORT'),
    });
    const without = startEngine(makeTestHome(), ['scheduler', '--port', '0']);
    await waitForText(without.stdout, /\(no health check\)\n/);
    without.kill('SIGINT');
    expect(await without.ended).toMatchObject({ code: 0 });
  });

  it('rejects an invalid configuration and shows where', async () => {
    const place = makeTestHome();
    writeFileSync(path.join(place.home, 'config.yaml'), 'scheduler:\n  prot: 1\n');
    const refused = await runEngine(place, ['scheduler']);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('config.yaml:2:3');
    expect(refused.stderr).toContain('Did you mean "port"?');
  });
});

describe('engine start-all', () => {
  it('serves the API and runs schedules', async () => {
    const place = placeWithTick();
    const server = startEngine(place, ['start-all', '--port', '0']);
    await waitForText(server.stdout, /ready at http.*\n/);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout())![0];
    const { schedulers } = (await (await fetch(`${url}/api/v2/services/scheduler`)).json()) as {
      schedulers: { status: string; port: number }[];
    };
    expect(schedulers).toMatchObject([{ status: 'active', port: 0 }]);
    await waitUntilPasses(async () => {
      const { dagRuns } = (await (await fetch(`${url}/api/v2/dag-runs`)).json()) as { dagRuns: object[] };
      expect(dagRuns).toContainEqual(expect.objectContaining({ trigger: 'schedule' }));
    }, 100);
    server.kill('SIGINT');
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});
