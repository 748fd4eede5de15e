import { spawnSync } from 'node:child_process';
import {
  type BigIntStats,
  appendFileSync,
  cpSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FaultTestHome } from './fault-home.ts';
import type { Random } from './kill.ts';

/** A disk of a few megabytes with a home on it. */
interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void;
  /** Frees the space taken by `fill`. */
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
}

const sizeMegabytes = 8;

/** Only root may mount one. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

/** Mounts a separate disk below an empty home, and unmounts it at the end. */
export async function withSmallDisk(
  home: FaultTestHome,
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

/** Concurrent writes decide how much fits. */
function fillWith(file: string): void {
  const chunk = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mount(words: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${words.join(' ')}: ${stderr}`);
}

/** A disk writes a sector completely or not at all. */
const sectorBytes = 512;

/**
 * A folder as left by a power failure: synced data exists; of all else any sector may have been written or
 * not, in any order. The existence and names of files count as written immediately, as the journals of common
 * file systems preserve their order.
 */
export class PowerLossDisk {
  readonly #folder: string;
  /** For each file, by an identity that survives renames, its content at the last sync. */
  readonly #synced = new Map<string, Buffer>();

  /** @param folder everything in it counts as synced */
  constructor(folder: string) {
    this.#folder = folder;
    for (const file of listFiles(folder)) {
      const filePath = join(folder, file);
      this.#synced.set(identify(statSync(filePath, { bigint: true })), readFileSync(filePath));
    }
  }

  /** Replaces `fsync`. */
  readonly sync = (descriptor: number): void => {
    fsyncSync(descriptor);
    const about = fstatSync(descriptor, { bigint: true });
    if (about.isDirectory()) return;
    const content = Buffer.alloc(Number(about.size));
    for (let at = 0; at < content.length;) at += readSync(descriptor, content, at, content.length - at, at);
    this.#synced.set(identify(about), content);
  };

  /** Copies the folder as it would be found after a power failure now. */
  cut(copy: string, random: Random): void {
    cpSync(this.#folder, copy, { recursive: true, filter: (filePath) => statSync(filePath).isDirectory() });
    for (const file of listFiles(this.#folder)) {
      const filePath = join(this.#folder, file);
      const synced = this.#synced.get(identify(statSync(filePath, { bigint: true }))) ?? Buffer.alloc(0);
      writeFileSync(join(copy, file), mix(synced, readFileSync(filePath), random));
    }
  }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

/** An inode may be reused, but not at the same time. */
const identify = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}:${birthtimeNs}`;

/** Some of the sectors are written; a file that has grown or shrunk may or may not have its new length. */
function mix(synced: Buffer, live: Buffer, random: Random): Buffer {
  if (synced.equals(live)) return live;
  // None or all of them are as likely as a mixture.
  const share = random.pick([0, 20, 50, 80, 100]);
  const isWritten = (): boolean => random.between(1, 100) <= share;
  const restored = Buffer.alloc(isWritten() ? live.length : synced.length);
  for (let at = 0; at < restored.length; at += sectorBytes) {
    const source = at < live.length && isWritten() ? live : synced;
    source.subarray(at, at + sectorBytes).copy(restored, at);
  }
  return restored;
}
