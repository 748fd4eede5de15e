import fs from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';

/** What a second process sends to the first before it exits. */
export interface SecondInstance {
  readonly argv: string[];
  readonly workingDirectory: string;
  readonly additionalData: unknown;
}

/**
 * The lock of `app.requestSingleInstanceLock`: a lock file with the owner's pid and, next to it, a watched
 * inbox folder. The request is synchronous in Electron, so a socket cannot be used.
 */
export class SingleInstance {
  #held: { readonly lockFile: string; readonly inbox: string; readonly watcher: fs.FSWatcher } | undefined;

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /**
   * Takes the lock, or notifies its owner of this process.
   * @param folder the user data folder, which the lock guards
   * @param onSecondInstance called for every later process that tries
   * @returns false if another living process has the lock
   */
  request(
    folder: string,
    additionalData: unknown,
    onSecondInstance: (seen: SecondInstance) => void,
  ): boolean {
    if (this.#held) return true;
    const lockFile = path.join(folder, 'SingletonLock');
    const inbox = path.join(folder, 'SingletonInbox');
    fs.mkdirSync(inbox, { recursive: true });
    // Twice, since the first attempt may only remove the lock of a killed owner.
    for (let attempt = 0; attempt < 2; attempt++) {
      if (createLockFile(lockFile)) {
        this.#held = { lockFile, inbox, watcher: watchInbox(inbox, onSecondInstance) };
        return true;
      }
      if (isAlive(readOwner(lockFile))) {
        post(inbox, { argv: process.argv, workingDirectory: process.cwd(), additionalData });
        return false;
      }
      fs.rmSync(lockFile, { force: true });
    }
    return false;
  }

  release(): void {
    if (!this.#held) return;
    this.#held.watcher.close();
    fs.rmSync(this.#held.inbox, { recursive: true, force: true });
    fs.rmSync(this.#held.lockFile, { force: true });
    this.#held = undefined;
  }
}

/** Creates the lock with its content atomically, so that an empty one is never read. */
function createLockFile(lockFile: string): boolean {
  const draft = `${lockFile}.${process.pid}`;
  fs.writeFileSync(draft, String(process.pid));
  try {
    fs.linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function readOwner(lockFile: string): number {
  try {
    return Number(fs.readFileSync(lockFile, 'utf8'));
  } catch {
    return Number.NaN;
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function post(inbox: string, message: SecondInstance): void {
  const draft = path.join(inbox, `${randomUUID()}.draft`);
  fs.writeFileSync(draft, JSON.stringify(message));
  fs.renameSync(draft, draft.replace(/draft$/, 'json'));
}

function watchInbox(inbox: string, onSecondInstance: (seen: SecondInstance) => void): fs.FSWatcher {
  const drain = (): void => {
    const names = fs.existsSync(inbox) ? fs.readdirSync(inbox) : [];
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      const file = path.join(inbox, name);
      const message = JSON.parse(fs.readFileSync(file, 'utf8')) as SecondInstance;
      fs.rmSync(file);
      onSecondInstance(message);
    }
  };
  const watcher = fs.watch(inbox, drain);
  watcher.on('error', () => undefined);
  return watcher.unref();
}
