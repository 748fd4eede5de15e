import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Seconds; the two clocks behind the estimate drift and step a little while the machine is up. */
const estimateGrainSec = 60;

/**
 * Changes with each start of the machine: after that, no pid recorded before means anything. Linux tells one;
 * elsewhere the minute of the start is taken, counted from `nowMs`.
 */
export function readBootId(nowMs: number): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `boot-${Math.round((nowMs / 1000 - uptime()) / estimateGrainSec)}`;
  }
}
