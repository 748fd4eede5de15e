import { readdirSync, readFileSync } from 'node:fs';

/** A living process of a home under test. */
export interface MarkedProcess {
  readonly pid: number;
  /** Its arguments, joined with spaces. */
  readonly command: string;
}

/**
 * All living processes whose environment contains a text. A fault home puts its own path into `PATH`, which
 * hosts, supervisors, steps and their children inherit, so that all of them are found. Zombies are not
 * living.
 */
export function findMarked(mark: string): MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readProc(name, 'environ').includes(mark) && !isZombie(name))
    .map((name) => ({
      pid: Number(name),
      command: readProc(name, 'cmdline').replaceAll('\0', ' ').trim(),
    }));
}

/** Sends a signal to a process that may have exited. */
export function signalMarked({ pid }: Pick<MarkedProcess, 'pid'>, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited meanwhile.
  }
}

/** Whether a process is halted by SIGSTOP. */
export const isSuspended = (pid: number): boolean => /\) T /.test(readProc(String(pid), 'stat'));

const isZombie = (pid: string): boolean => /\) [ZX] /.test(readProc(pid, 'stat'));

/** Empty if the process has exited. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
