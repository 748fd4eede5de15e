import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { hasProcessTable, readPidStart } from '../../../../core/process/process-table.ts';
import { listPids, readUsage } from '../../../../core/process/monitor/proc-trees.ts';

if (hasProcessTable) {
  it('agrees with Node about this process', () => {
    const before = process.cpuUsage();
    const usage = readUsage(process.pid)!;
    const { user, system } = process.cpuUsage();
    expect(usage).toMatchObject({
      parent: process.ppid,
      pidStart: readPidStart(process.pid),
      isZombie: false,
    });
    // The kernel counts in hundredths of a second, and this process may have waited for children.
    expect(usage.cpuMs).toBeGreaterThan((before.user + before.system) / 1000 - 30);
    expect(usage.cpuMs).toBeLessThan((user + system) / 1000 + 60_000);
    const { rss } = process.memoryUsage();
    expect(usage.memory).toBeGreaterThan(rss * 0.7);
    expect(usage.memory).toBeLessThan(rss * 1.4);
    expect(listPids()).toContain(process.pid);
  });

  it('includes children that were waited for', () => {
    const before = readUsage(process.pid)!.cpuMs;
    execFileSync('sh', ['-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done']);
    expect(readUsage(process.pid)!.cpuMs - before).toBeGreaterThan(50);
  });

  it('reports nothing for a missing process', () => {
    expect(readUsage(2 ** 22 + 1)).toBeUndefined();
  });
} else
  it('reports nothing without a process table', () => {
    expect(listPids()).toEqual([]);
    expect(readUsage(process.pid)).toBeUndefined();
  });
