import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Folder for cookies, local storage and the rest. */
export interface ProfileFolder {
  readonly path: string;
  /** Removes it if it is temporary. */
  release(): void;
}

/** How long to wait until the browser of a killed process releases the profile. */
const RELEASE_TRIES = 20;
const RELEASE_PAUSE_MS = 50;

/**
 * Uses the profile inside the application's own storage, so that page storage survives a restart. While
 * another browser uses it (two instances on one user data folder), a temporary one is used.
 */
export async function acquireProfileFolder(storageFolder: string): Promise<ProfileFolder> {
  const browserProfile = path.join(storageFolder, 'Chromium');
  for (let attempt = 0; attempt < RELEASE_TRIES; attempt++) {
    if (!isInUse(browserProfile)) {
      fs.mkdirSync(browserProfile, { recursive: true });
      return { path: browserProfile, release: () => undefined };
    }
    await pause(RELEASE_PAUSE_MS);
  }
  const borrowed = fs.mkdtempSync(path.join(os.tmpdir(), 'electron-standin-'));
  return {
    path: borrowed,
    release: () => fs.rmSync(borrowed, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }),
  };
}

/** Chromium marks a profile in use with a symlink to `<host>-<pid>`. */
function isInUse(profile: string): boolean {
  try {
    const owner = Number(fs.readlinkSync(path.join(profile, 'SingletonLock')).split('-').at(-1));
    process.kill(owner, 0);
    return true;
  } catch {
    return false;
  }
}
