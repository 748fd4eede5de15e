import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';

/** A run of all tests has less than a tenth of it in use at any time. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder for the temporary files of tests that lies in memory. Engines wait for the disk with each commit, which
 * is most of the time of many tests and nothing that they are about. What needs a disk of its own brings one.
 * @returns {string | undefined} nothing where there is no room, and where somebody has chosen a place by TMPDIR
 */
export function makeMemoryFolder() {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return undefined;
  // Podman takes no more than fifty characters for a place of its own below it.
  const folder = join(MEMORY, `stepwright-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    mkdirSync(folder, { recursive: true });
    // In containers it is often a place that nothing can be started from.
    const probe = join(folder, 'probe');
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(probe);
    return folder;
  } catch {
    removeMemoryFolder(folder);
    return undefined;
  }
}

/** @param {string | undefined} folder as it was made */
export function removeMemoryFolder(folder) {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
