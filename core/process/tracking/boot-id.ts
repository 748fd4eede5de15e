import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Seconds; the two clocks behind the estimate drift and step a little while the machine is up. */
const estimateGrainSec = 60;

/**
 * Returns an id that changes with each boot of the machine: after that, recorded pids are meaningless. Linux provides
 * one; elsewhere it is the minute of the boot, calculated from `nowMs`.
 */
export function readBootId(nowMs: number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `boot-${Math.round((nowMs / 1000 - uptime()) / estimateGrainSec)}`;
  }
}
