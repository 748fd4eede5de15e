import { statSync, statfsSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { timestampGranularityMs } from './loaded-files.ts';

/**
 * Milliseconds after which every file is checked again regardless of events. The system does not report writes through
 * another hard link or a memory mapping, or more changes than its queue holds.
 */
export const fullCheckIntervalMs = 2000;

/**
 * Reports which files of a folder must be checked again. System events arrive some milliseconds after a change;
 * created, deleted and replaced files are detected at once by the modification time of the folder.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #onEvent: () => void;
  #watcher: FSWatcher | undefined;
  /** State of the folder when all files were checked. */
  #fingerprint: FolderFingerprint | undefined;
  #scannedAt = -Infinity;
  /** Time of the last attempt to watch. */
  #attemptedAt = -Infinity;
  #changed = new Set<string>();

  /** @param onEvent called after the first system event since the last check */
  constructor(folder: string, clock: Pick<Clock, 'now' | 'monotonic'>, onEvent: () => void) {
    this.#folder = folder;
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  /**
   * Returns the names of files that may have changed since the last call, possibly with others. Returns undefined if
   * all files must be checked: on every call if the system reports no changes, as for a network folder.
   */
  takeChanges(): ReadonlySet<string> | undefined {
    const fingerprint = fingerprintFolder(this.#folder);
    const isSure =
      this.#watcher !== undefined &&
      isSame(fingerprint, this.#fingerprint) &&
      this.#clock.now() - fingerprint.mtimeMs >= timestampGranularityMs &&
      this.#clock.monotonic() - this.#scannedAt < fullCheckIntervalMs;
    const changed = this.#changed;
    // Reset before the check: later events belong to the next call.
    this.#changed = new Set();
    if (isSure) return changed;
    this.#restartWatch(fingerprint);
    return undefined;
  }

  /** Stops watching; the next call starts again. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #restartWatch(fingerprint: FolderFingerprint | undefined): void {
    const now = this.#clock.monotonic();
    const isOther = fingerprint?.identity !== this.#fingerprint?.identity;
    if (isOther) this.close();
    const isDue = isOther || now - this.#attemptedAt >= fullCheckIntervalMs;
    if (this.#watcher === undefined && isDue) {
      this.#attemptedAt = now;
      if (fingerprint === undefined)
        this.#open(path.dirname(this.#folder), (_kind, name) => this.#recordParentChange(name));
      else this.#open(this.#folder, (kind, name) => this.#record(kind, name));
    }
    this.#fingerprint = fingerprint;
    this.#scannedAt = now;
  }

  #open(folder: string, note: ChangeListener): void {
    try {
      if (!supportsWatch(folder)) return;
      const watcher = watch(folder, { persistent: false });
      watcher.on('change', note);
      // Later events of a closed watcher are harmless.
      watcher.on('error', () => this.close());
      this.#watcher = watcher;
    } catch {
      // The folder was just deleted, or the system has no more watches (ENOSPC): every file is checked each time.
    }
  }

  #record(kind: string, name: string | Buffer | null): void {
    // Without a name, or with the name of the folder itself when it is removed, anything may have changed.
    if (name === null || (kind === 'rename' && name === path.basename(this.#folder))) this.close();
    else this.#changed.add(String(name));
    this.#onEvent();
  }

  /** While the folder does not exist, its parent reports when it is created. */
  #recordParentChange(name: string | Buffer | null): void {
    if (name === null || String(name) === path.basename(this.#folder)) this.#onEvent();
  }
}

type ChangeListener = (kind: string, name: string | Buffer | null) => void;

interface FolderFingerprint {
  /** Differs from that of any other folder at the same path. */
  readonly identity: string;
  readonly mtimeMs: number;
}

function fingerprintFolder(folder: string): FolderFingerprint | undefined {
  try {
    const { dev, ino, birthtimeMs, mtimeMs } = statSync(folder);
    return { identity: `${dev}:${ino}:${birthtimeMs}`, mtimeMs };
  } catch {
    return undefined;
  }
}

const isSame = (
  fingerprint: FolderFingerprint | undefined,
  other: FolderFingerprint | undefined,
): fingerprint is FolderFingerprint =>
  fingerprint !== undefined &&
  fingerprint.identity === other?.identity &&
  fingerprint.mtimeMs === other.mtimeMs;

/** Types of file systems that only this machine can change (`statfs`, linux/magic.h). */
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

/**
 * Whether changes are reported. Linux accepts a watch of a network folder, but reports no changes by other machines.
 */
const supportsWatch = (folder: string): boolean =>
  process.platform !== 'linux' || localTypes.has(statfsSync(folder).type);

/** Milliseconds that a burst of changes may last: editors write a file in several steps. */
const quietMs = 200;
/** Milliseconds between two checks without events, because not every file system reports changes. */
const pollMs = 30_000;

/**
 * Calls back when something in a folder may have changed: soon after a system event, and periodically. The folder may
 * not exist yet.
 */
export function watchFolder(
  folder: string,
  clock: Pick<Clock, 'after' | 'every'>,
  onChange: () => void,
): Dispose {
  let watcher: FSWatcher | undefined;
  let cancel: Dispose | undefined;
  const changed = (): void => {
    if (cancel !== undefined) return;
    cancel = clock.after(quietMs, () => {
      cancel = undefined;
      onChange();
    });
  };
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const open = (): void => {
    if (watcher !== undefined) return;
    try {
      watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', close);
    } catch {
      // The folder does not exist or the system has no more watches; polling continues.
    }
  };
  open();
  const stop = clock.every(pollMs, () => {
    // Watch a replaced folder again.
    close();
    open();
    onChange();
  });
  return () => {
    close();
    stop();
    cancel?.();
  };
}
