import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LibraryTrees, measureRows } from '../../../../core/process/monitor/library-trees.ts';
import { ProcTrees } from '../../../../core/process/monitor/proc-trees.ts';
import { tagVariable } from '../../../../core/process/launcher.ts';
import { hasProcessTable } from '../../../../core/process/process-table.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** Node with a script; it has printed `ready` when this resolves. */
async function startNode(script: string, env: NodeJS.ProcessEnv, detached = true): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${script};console.log('ready');setInterval(() => {}, 1e6)`], {
    env,
    detached,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

const burn = `for (const end = process.cpuUsage().user + 2e5; process.cpuUsage().user < end;);`;
/** A child with an empty environment, and one that has left the session. */
const children = `const { spawn } = require('node:child_process');
  const options = { stdio: 'ignore' };
  const pids = [
    spawn('sleep', ['600'], { ...options, env: {} }),
    spawn('sleep', ['600'], { ...options, detached: true }),
  ];
  process.on('exit', () => pids.forEach((child) => child.kill('SIGKILL')));
  process.on('SIGTERM', () => process.exit())`;

if (hasProcessTable)
  describe('/proc', () => {
    it('finds the processes of an attempt, however they tried to hide', async () => {
      const tag = makeTemporaryFolder();
      const trees = new ProcTrees(systemClock);
      const child = await startNode(`${children};${burn}`, { ...process.env, [tagVariable]: tag });
      onTestFinished(async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      });
      const first = await trees.read();
      expect(first.costMs).toBeGreaterThan(0);
      const tree = first.trees.get(tag)!;
      expect(tree.processes).toBe(3);
      expect(tree.cpuMs).toBeGreaterThan(150);
      expect(tree.memory).toBeGreaterThan(20e6);
      const second = (await trees.read()).trees.get(tag)!;
      expect(second.processes).toBe(3);
      expect(second.cpuMs).toBeLessThan(150);
    });

    it('reports no processes without an attempt', async () => {
      const { trees } = await new ProcTrees(systemClock).read();
      expect([...trees.keys()]).not.toContain('');
    });
  });

if (process.platform !== 'win32')
  describe('the library', () => {
    it('finds the processes below those that this host has started', async () => {
      const child = await startNode(children, process.env, false);
      onTestFinished(async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      });
      const living = [
        { pid: child.pid!, attemptDir: '/a' },
        { pid: 2 ** 22 + 1, attemptDir: '/gone' },
      ];
      const { trees } = await new LibraryTrees(systemClock, () => living).read(5000);
      expect([...trees.keys()]).toEqual(['/a']);
      expect(trees.get('/a')).toMatchObject({ processes: 3 });
      expect(trees.get('/a')!.memory).toBeGreaterThan(20e6);
    });

    it('is not called when no process is alive', async () => {
      expect(await new LibraryTrees(systemClock, () => []).read(5000)).toEqual({
        trees: new Map(),
        costMs: 0,
      });
    });
  });

describe('process table', () => {
  const row = (pid: number, parentPid: number, cpu = 10) => ({ pid, parentPid, cpu, memRss: 2 });

  it('is summed up below each root', () => {
    const rows = [row(1, 0), row(2, 1), row(3, 2), row(4, 1), row(5, 4)];
    const roots = [
      { pid: 2, attemptDir: '/two' },
      { pid: 4, attemptDir: '/four' },
    ];
    const cores = process.platform === 'darwin' ? 1 : 4;
    const trees = measureRows(rows, roots, { elapsedMs: 1000, cores: 4 });
    expect(trees.get('/two')).toEqual({ cpuMs: 200 * cores, memory: 4096, processes: 2 });
    expect(trees.get('/four')).toEqual({ cpuMs: 200 * cores, memory: 4096, processes: 2 });
  });

  it('can have cyclic parents', () => {
    const trees = measureRows([row(2, 3), row(3, 2)], [{ pid: 2, attemptDir: '/a' }], {
      elapsedMs: 1000,
      cores: cpus().length,
    });
    expect(trees.get('/a')?.processes).toBe(2);
  });
});
