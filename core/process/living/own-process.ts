import { hostname } from 'node:os';
import type { RunOwner } from '../../model/run/run.ts';
import { readBootId } from './boot-id.ts';
import { isAlive, isPidTaken, readPidStart } from './process-table.ts';

/** This process, as the owner of runs. `nowMs` is epoch milliseconds. */
export const describeOwnProcess = (nowMs: number): RunOwner => ({
  host: hostname(),
  pid: process.pid,
  pidStart: readPidStart(process.pid),
  bootId: readBootId(nowMs),
});

/**
 * Whether an owner recorded earlier is certainly gone: it lived on this machine, before a reboot or under a pid
 * that nobody, or somebody else, has now. An owner on another machine is never judged from here.
 */
export function isOwnerGone(owner: RunOwner, own: RunOwner): boolean {
  if (owner.host !== own.host) return false;
  if (owner.bootId !== own.bootId) return true;
  return owner.pidStart === '' ? !isPidTaken(owner.pid) : !isAlive(owner);
}
