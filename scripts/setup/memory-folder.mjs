import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The in-memory file system of Linux. */
const MEMORY = '/dev/shm';

/** A run of all tests uses less than a tenth of it at any time. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates a directory in memory for the temporary files of tests. Engines wait for the disk at each commit,
 * which would be most of the duration of many tests that are not about it. Tests that need a real disk use
 * their own directory.
 * @returns {string | undefined} undefined without enough memory, or if TMPDIR is set
 */
export function createMemoryFolder() {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return undefined;
  // Podman accepts at most fifty characters for a directory below it.
  const folder = join(MEMORY, `stepwright-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    mkdirSync(folder, { recursive: true });
    // In containers it is often mounted noexec.
    const probe = join(folder, 'probe');
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(probe);
    return folder;
  } catch {
    removeMemoryFolder(folder);
    return undefined;
  }
}

/** @param {string | undefined} folder the result of {@link createMemoryFolder} */
export function removeMemoryFolder(folder) {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
