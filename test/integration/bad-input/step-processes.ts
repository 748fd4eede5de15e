import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { TestHome } from '../../harness/engine-command.ts';

/** Whether this system tells of its processes in `/proc`, as Linux does. */
export const hasProcFolder = existsSync('/proc/self/environ');

/** Ids of the living processes that a step on this home has started, children of children included. */
export function findStepProcesses({ home }: TestHome): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && readProc(pid, 'environ').includes(`\0ENGINE_ATTEMPT_DIR=${home}/`));
}

/** Kills what steps on this home have left when the test ends, as far as the system tells which they are. */
export function killStepProcessesAtEnd(place: TestHome): void {
  if (!hasProcFolder) return;
  onTestFinished(() => {
    for (const pid of findStepProcesses(place)) process.kill(pid, 'SIGKILL');
  });
}

/**
 * The most memory the process has had in RAM so far, in bytes (`VmHWM`); 0 when it has ended.
 */
export function readPeakMemory({ pid }: ChildProcess): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid!, 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

/** A zombie has ended; it only waits for its parent to look. */
const isAlive = (pid: number): boolean => !/^State:\s+[ZX]/m.test(readProc(pid, 'status'));

/** Empty when the process has ended meanwhile. Begins with a zero byte, so that each variable does. */
function readProc(pid: number, name: 'environ' | 'status'): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/${name}`, 'latin1')}`;
  } catch {
    return '';
  }
}
