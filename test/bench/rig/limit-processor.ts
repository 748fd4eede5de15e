/** Limits processor time by a control group of Linux, for hosts that would otherwise share all processors. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The controller of version 1; version 2 is not supported. */
const root = '/sys/fs/cgroup/cpu';
const periodUs = 20_000;

/** Whether this process may limit others. */
export const canLimit = process.getuid?.() === 0 && existsSync(join(root, 'cpu.cfs_quota_us'));

/**
 * Limits a process and all that it starts from now on.
 * @param share of one processor
 * @returns a function that removes the limit when they have ended
 */
export function limitProcessor(pid: number, share: number): () => Promise<void> {
  const group = join(root, `bench-${pid}`);
  mkdirSync(group);
  writeFileSync(join(group, 'cpu.cfs_period_us'), `${periodUs}`);
  writeFileSync(join(group, 'cpu.cfs_quota_us'), `${Math.round(share * periodUs)}`);
  writeFileSync(join(group, 'cgroup.procs'), `${pid}`);
  return async () => {
    while (readFileSync(join(group, 'cgroup.procs'), 'utf8') !== '') await pause(10);
    rmdirSync(group);
  };
}
