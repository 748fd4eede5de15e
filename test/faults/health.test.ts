import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkHome } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { close, serve, waitFor, signalMarked } from './rig/kill.ts';
import { canMount, withSmallDisk } from './rig/disks.ts';
import { waitUntilPasses } from '../harness/resources.ts';
import { waiting } from './workflows.ts';

const server = ['server', '--port', '0'];
const api = (host: Host): string => `${/http:\S+/.exec(host.stdout())![0]}/api/v2`;

interface Health {
  readonly status: string;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

async function readHealth(host: Host): Promise<Health> {
  const reply = await fetch(`${api(host)}/health`);
  expect(reply.status).toBe(200);
  return (await reply.json()) as Health;
}

/** Waits until the host has exactly these problems. */
async function untilHealth(host: Host, codes: readonly string[]): Promise<void> {
  await waitUntilPasses(async () => {
    const { status, problems } = await readHealth(host);
    expect(problems.map(({ code }) => code)).toEqual(codes);
    expect(status).toBe(codes.length === 0 ? 'healthy' : 'degraded');
  });
}

const start = (host: Host, name: string): Promise<Response> =>
  fetch(`${api(host)}/dags/${name}/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });

/** A server with a run whose step runs until it is released. */
async function serveWaiting(home: FaultTestHome): Promise<{ host: Host; dagRunId: string }> {
  home.shorten({ homeLook: 1000, hostBeat: 500, supervisorPing: 1500, supervisorAnswer: 1000 });
  home.save('waiting', `workingDir: ${home.cwd}\n${waiting}`);
  const host = await serve(home, server);
  const reply = await start(host, 'waiting');
  const { dagRunId } = (await reply.json()) as { dagRunId: string };
  await waitFor('the step', () => home.has('begun'));
  return { host, dagRunId };
}

const readRun = async (host: Host, dagRunId: string): Promise<{ waiting?: string }> =>
  (await (await fetch(`${api(host)}/dag-runs/waiting/${dagRunId}`)).json()) as { waiting?: string };

function signalSupervisor(home: FaultTestHome, signal: NodeJS.Signals): void {
  const supervisor = home.processes().find(({ command }) => command.includes('supervisor/program.cjs'));
  expect(supervisor).toBeDefined();
  signalMarked(supervisor!, signal);
}

const hasEnded = async (home: FaultTestHome): Promise<boolean> =>
  (await home.query('SELECT 1 FROM run WHERE finished_at IS NOT NULL')).length === 1;

describe.concurrent('a halted step supervisor', () => {
  it('degrades the health of its host until it resumes', async () => {
    await withFaultTestHome(async (home) => {
      const { host, dagRunId } = await serveWaiting(home);
      expect((await readHealth(host)).status).toBe('healthy');
      signalSupervisor(home, 'SIGSTOP');
      await untilHealth(host, ['supervisor_unresponsive']);
      expect(host.stderr()).toMatch(/The step supervisor \(process \d+\) does not respond/);
      expect((await readRun(host, dagRunId)).waiting).toContain('does not respond');
      signalSupervisor(home, 'SIGCONT');
      await untilHealth(host, []);
      expect(await readRun(host, dagRunId)).not.toHaveProperty('waiting');
      home.releaseSteps();
      await waitFor('the end of the run', () => hasEnded(home));
      await close(host);
      await checkHome(home);
    });
  });

  it('does not prevent its host from exiting on a signal', async () => {
    await withFaultTestHome(async (home) => {
      const { host } = await serveWaiting(home);
      signalSupervisor(home, 'SIGSTOP');
      await close(host);
      signalSupervisor(home, 'SIGCONT');
      await home.quiet();
      expect(home.processes()).toEqual([]);
      await home.run(['recover']);
      expect(await home.query('SELECT status FROM run')).toEqual([{ status: 'aborted' }]);
    });
  });
});

describe.concurrent('a full disk under a server', () => {
  it.skipIf(!canMount)(
    'degrades its health, shows why the run waits, and does not flood the log',
    async () => {
      await withFaultTestHome((home) =>
        withSmallDisk(home, async (disk) => {
          const { host, dagRunId } = await serveWaiting(home);
          disk.fill();
          home.releaseSteps();
          await untilHealth(host, ['storage_full']);
          expect((await readRun(host, dagRunId)).waiting).toMatch(/disk/);
          // Retries within the same minute log nothing new.
          await waitFor('some beats', () => host.stderr().includes('Cannot write the heartbeat'));
          const lines = host.stderr().split('\n').filter(Boolean);
          expect(new Set(lines).size).toBe(lines.length);
          disk.free();
          await waitFor('the end of the run', () => hasEnded(home));
          await untilHealth(host, []);
          await close(host);
        }),
      );
    },
  );
});

describe.concurrent('a home that disappears under a server', () => {
  it('is reported, starts are rejected, and the home is used again when it is back', async () => {
    await withFaultTestHome(async (home) => {
      home.shorten({ homeLook: 1000 });
      home.save('plain', 'steps:\n  - { name: a, command: EFFECT }\n');
      const host = await serve(home, server);
      const moved = `${home.home}.moved`;
      renameSync(home.home, moved);
      const refused = await fetch(`${api(host)}/dag-runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'x', spec: 'steps:\n  - "true"\n' }),
      });
      expect(refused.status).toBe(500);
      expect(await refused.json()).toMatchObject({
        code: 'home_unusable',
        message: expect.stringContaining(`The home ${home.home} was removed or replaced`) as string,
      });
      await untilHealth(host, ['home_unusable']);
      expect(host.stderr()).toContain('was removed or replaced');
      rmSync(home.home, { recursive: true, force: true });
      renameSync(moved, home.home);
      await untilHealth(host, []);
      expect((await start(host, 'plain')).status).toBe(200);
      await waitFor('the end of the run', () => hasEnded(home));
      await close(host);
      await checkHome(home);
      expect(home.ranBySteps()).toEqual({ a: 1 });
    });
  });
});
