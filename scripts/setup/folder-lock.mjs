import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Takes a lock: a directory that contains the process id of its owner. Waits while the owner is alive.
 * @param {string} folder
 * @throws when the directory cannot be created
 */
export async function acquireLock(folder) {
  mkdirSync(dirname(folder), { recursive: true });
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      if (!isHeld(folder)) rmSync(folder, { recursive: true, force: true });
      await sleep(100);
    }
  }
}

/**
 * Whether the lock's owner is alive; an owner that has not written its id yet counts as alive for five seconds.
 * @param {string} folder
 */
function isHeld(folder) {
  try {
    const written = readFileSync(join(folder, 'pid'), 'utf8');
    if (written) return process.kill(Number(written), 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
  }
  return existsSync(folder) && Date.now() - statSync(folder).mtimeMs < 5000;
}

/**
 * @param {unknown} error
 * @param {string} code
 */
const isCode = (error, code) => error instanceof Error && 'code' in error && error.code === code;
