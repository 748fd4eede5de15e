import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';

/** A run of all tests has less than a tenth of it in use at any time. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Vitest global set-up: temporary files lie in memory, where there is room. Engines wait for the disk with each commit,
 * which is most of the time of many tests and nothing that they are about. What needs a disk of its own brings one.
 */
export function setup(): (() => void) | undefined {
  // Podman takes no more than fifty characters for a place of its own below it.
  const folder = join(MEMORY, `stepwright-${process.pid}`);
  const before = process.env['TMPDIR'];
  // Whoever has chosen a place knows why.
  if (process.platform !== 'linux' || before !== undefined || !canUse(folder)) return undefined;
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Makes the folder. In containers the place is often small, or one that nothing can be started from. */
function canUse(folder: string): boolean {
  const probe = join(folder, 'probe');
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < neededBytes) return false;
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '#!/bin/sh\n', { mode: 0o700 });
    execFileSync(probe);
    return true;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return false;
  }
}
