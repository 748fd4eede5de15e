import { hostname } from 'node:os';
import type { RunOwner } from '../../model/run/run.ts';
import { readBootId } from './boot-id.ts';
import { isAlive, isPidTaken, readPidStart } from './process-table.ts';

/** Returns this process as an owner of runs. `nowMs` is epoch milliseconds. */
export const describeOwnProcess = (nowMs: number): RunOwner => ({
  host: hostname(),
  pid: process.pid,
  pidStart: readPidStart(process.pid),
  bootId: readBootId(nowMs),
});

/**
 * Whether an earlier recorded owner has certainly ended: it ran on this machine, before a reboot or with a pid that is
 * now unused or reused. Owners on other machines are never judged.
 */
export function hasOwnerEnded(owner: RunOwner, own: RunOwner): boolean {
  if (owner.host !== own.host) return false;
  if (owner.bootId !== own.bootId) return true;
  return owner.pidStart === '' ? !isPidTaken(owner.pid) : !isAlive(owner);
}
