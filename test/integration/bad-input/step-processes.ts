import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TestHome } from '../../harness/home-and-command.ts';

/** Whether this system lists its processes in `/proc`, as Linux does. */
export const hasProcFolder = existsSync('/proc/self/environ');

/** Pids of the living descendants of steps in this home. */
export function findStepProcesses({ home }: TestHome): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isAlive(pid) && readProc(pid, 'environ').includes(`\0ENGINE_ATTEMPT_DIR=${home}/`));
}

/** Kills leftover processes of steps in this home when the test ends, where the system lists them. */
export function killStepProcessesAtEnd(testHome: TestHome): void {
  if (!hasProcFolder) return;
  onTestFinished(() => {
    for (const pid of findStepProcesses(testHome)) process.kill(pid, 'SIGKILL');
  });
}

/** Peak resident memory of the process so far, in bytes (`VmHWM`); 0 if it has exited. */
export function readPeakMemory({ pid }: ChildProcess): number {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(pid!, 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

/** A zombie has exited; it only waits for its parent. */
const isAlive = (pid: number): boolean => !/^State:\s+[ZX]/m.test(readProc(pid, 'status'));

/** Empty if the process has exited meanwhile. Starts with a zero byte, so that each variable does. */
function readProc(pid: number, name: 'environ' | 'status'): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/${name}`, 'latin1')}`;
  } catch {
    return '';
  }
}

/** Shell code that runs one of `test/programs`. */
export const program = (words: string): string =>
  `sh '${join(import.meta.dirname, '../../programs')}'/${words}`;
