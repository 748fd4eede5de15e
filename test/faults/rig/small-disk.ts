import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultHome } from './fault-home.ts';

/** A disk of a few megabytes with a home on it. */
export interface SmallDisk {
  /** Leaves not a byte free. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
}

const sizeMegabytes = 8;

/** Only root may mount one. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** Puts a disk of its own below an empty home, and takes it away in the end. */
export async function withSmallDisk(
  home: FaultHome,
  body: (disk: SmallDisk) => Promise<void>,
): Promise<void> {
  const filler = join(home.home, 'filler');
  mount(['-t', 'tmpfs', '-o', `size=${sizeMegabytes}m,mode=755`, 'tmpfs', home.home]);
  mkdirSync(join(home.home, 'dags'));
  try {
    await body({
      fill: () => fillWith(filler),
      free: () => rmSync(filler),
      setReadOnly: (isReadOnly) => mount(['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, home.home]),
    });
  } finally {
    await home.dispose();
    spawnSync('umount', [home.home]);
  }
}

/** What others write meanwhile decides how much there is room for. */
function fillWith(file: string): void {
  const chunk = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(file, chunk);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown;
  }
}

function mount(words: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${words.join(' ')}: ${stderr}`);
}
