import { spawn } from 'node:child_process';

/**
 * Signals a process group. On Windows, which has neither groups nor signals, asks the process tree to close, or
 * terminates it when the signal is SIGKILL.
 * @returns whether any process was signalled
 */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') return signalTreeOnWindows(group, signal === 'SIGKILL');
  return send(-group, signal);
}

/** Whether a group has members, including zombies. False on Windows. */
export const hasMembers = (group: number): boolean => process.platform !== 'win32' && send(-group, 0);

/** Whether a pid is in use, including by a zombie. */
export const processExists = (pid: number): boolean => send(pid, 0);

/** Signals one process. @returns whether it existed */
export const signalProcess = (pid: number, signal: NodeJS.Signals): boolean => send(pid, signal);

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: it exists, but belongs to another user (sudo), or has just died (macOS).
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'darwin';
  }
}

function signalTreeOnWindows(pid: number, force: boolean): boolean {
  const args = ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])];
  const child = spawn('taskkill', args, { stdio: 'ignore', windowsHide: true });
  // This fails when the tree has already ended, which is the desired result.
  child.on('error', () => {});
  return true;
}
