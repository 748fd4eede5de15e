import { statSync, statfsSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { freshMs } from './file-mark.ts';

/**
 * Milliseconds after which every file is looked at again, whatever was told. The system does not tell of a file that is
 * written through another name of it, or by way of memory, nor of more changes than its queue holds.
 */
export const longestTrustMs = 2000;

/**
 * Tells which files of a folder have to be looked at again. The system's messages come some milliseconds after a change;
 * a file that came, went or took another's place is seen at once, by the time that the folder itself bears.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #onEvent: () => void;
  #watcher: FSWatcher | undefined;
  /** The folder as it was when all was looked at. */
  #mark: FolderMark | undefined;
  #lookedAt = -Infinity;
  /** When a watch was last asked for. */
  #triedAt = -Infinity;
  #changed = new Set<string>();

  /** @param onEvent called when the system has told of a change, before which none is looked for */
  constructor(folder: string, clock: Pick<Clock, 'now' | 'monotonic'>, onEvent: () => void) {
    this.#folder = folder;
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  /**
   * Names of files, among others, that may have changed since the last call. Undefined when all have to be looked at:
   * each time where nobody tells of changes, as in a folder of another machine.
   */
  takeChanges(): ReadonlySet<string> | undefined {
    const mark = markFolder(this.#folder);
    const isSure =
      this.#watcher !== undefined &&
      isSame(mark, this.#mark) &&
      this.#clock.now() - mark.mtimeMs >= freshMs &&
      this.#clock.monotonic() - this.#lookedAt < longestTrustMs;
    const changed = this.#changed;
    // Before anything is looked at: what comes meanwhile is for the next call.
    this.#changed = new Set();
    if (isSure) return changed;
    this.#watchAnew(mark);
    return undefined;
  }

  /** Stops watching; the next question begins anew. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #watchAnew(mark: FolderMark | undefined): void {
    const now = this.#clock.monotonic();
    const isOther = mark?.identity !== this.#mark?.identity;
    if (isOther) this.close();
    const isDue = isOther || now - this.#triedAt >= longestTrustMs;
    if (this.#watcher === undefined && isDue) {
      this.#triedAt = now;
      if (mark === undefined) this.#open(path.dirname(this.#folder), (_kind, name) => this.#noteAround(name));
      else this.#open(this.#folder, (kind, name) => this.#note(kind, name));
    }
    this.#mark = mark;
    this.#lookedAt = now;
  }

  #open(folder: string, note: ChangeListener): void {
    try {
      if (!tellsOfChanges(folder)) return;
      const watcher = watch(folder, { persistent: false });
      watcher.on('change', note);
      // Later messages of one that is closed do no harm.
      watcher.on('error', () => this.close());
      this.#watcher = watcher;
    } catch {
      // Just gone, or the system has no more watches to give (ENOSPC): every file is looked at each time.
    }
  }

  #note(kind: string, name: string | Buffer | null): void {
    // Without a name, or with the folder's own, which it has lost: anything may have changed.
    if (name === null || (kind === 'rename' && name === path.basename(this.#folder))) this.close();
    else this.#changed.add(String(name));
    this.#onEvent();
  }

  /** While the folder is not there, the one around it tells when it comes. */
  #noteAround(name: string | Buffer | null): void {
    if (name === null || String(name) === path.basename(this.#folder)) this.#onEvent();
  }
}

type ChangeListener = (kind: string, name: string | Buffer | null) => void;

interface FolderMark {
  /** Differs from that of any other folder that was in the same place. */
  readonly identity: string;
  readonly mtimeMs: number;
}

function markFolder(folder: string): FolderMark | undefined {
  try {
    const { dev, ino, birthtimeMs, mtimeMs } = statSync(folder);
    return { identity: `${dev}:${ino}:${birthtimeMs}`, mtimeMs };
  } catch {
    return undefined;
  }
}

const isSame = (mark: FolderMark | undefined, other: FolderMark | undefined): mark is FolderMark =>
  mark !== undefined && mark.identity === other?.identity && mark.mtimeMs === other.mtimeMs;

/** Types of file systems whose changes all go through this machine (`statfs`, linux/magic.h). */
const localTypes: ReadonlySet<number> = new Set([
  0xef_53, // ext2, ext3, ext4
  0x58_46_53_42, // XFS
  0x91_23_68_3e, // Btrfs
  0xca_45_1a_4e, // bcachefs
  0xf2_f5_20_10, // F2FS
  0x2f_c1_2f_c1, // ZFS
  0x31_53_46_4a, // JFS
  0x01_02_19_94, // tmpfs
  0x79_4c_76_30, // overlayfs
]);

/** Linux takes a watch of a network folder, and tells of no change that another machine makes. */
const tellsOfChanges = (folder: string): boolean =>
  process.platform !== 'linux' || localTypes.has(statfsSync(folder).type);
