import { statSync, statfsSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Clock, Dispose } from '../../base/clock.ts';
import { listFolders } from './folder-listing.ts';
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

  /** Called when all files are checked for another reason; the next full check is due after the full interval. */
  noteFullCheck(): void {
    this.#scannedAt = this.#clock.monotonic();
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

/** A {@link FolderWatch} for a folder and each of its subfolders. */
export class TreeWatch {
  readonly #root: string;
  readonly #open: (folder: string) => FolderWatch;
  /** By path relative to the root. */
  readonly #watches = new Map<string, FolderWatch>();

  /** @param onEvent called after the first system event since the last check */
  constructor(root: string, clock: Pick<Clock, 'now' | 'monotonic'>, onEvent: () => void) {
    this.#root = root;
    this.#open = (folder) => new FolderWatch(path.join(this.#root, folder), clock, onEvent);
    this.setFolders(['']);
  }

  /**
   * Sets the folders to watch, relative to the root.
   * @returns whether some are new, so that their files must be checked once more
   */
  setFolders(folders: readonly string[]): boolean {
    const current = new Set(folders);
    for (const [folder, folderWatch] of this.#watches) {
      if (folder === '' || current.has(folder)) continue;
      folderWatch.close();
      this.#watches.delete(folder);
    }
    const added = folders.filter((folder) => !this.#watches.has(folder));
    for (const folder of added) this.#watches.set(folder, this.#open(folder));
    return added.length > 0;
  }

  /** Does the same as {@link FolderWatch.takeChanges}, with paths relative to the root. */
  takeChanges(): ReadonlySet<string> | undefined {
    const changes = Array.from(this.#watches, ([folder, folderWatch]) => ({
      folder,
      names: folderWatch.takeChanges(),
    }));
    if (changes.some(({ names }) => names === undefined)) {
      for (const folderWatch of this.#watches.values()) folderWatch.noteFullCheck();
      return undefined;
    }
    return new Set(
      changes.flatMap(({ folder, names }) =>
        Array.from(names!, (name) => (folder === '' ? name : `${folder}/${name}`)),
      ),
    );
  }

  /** Stops watching; the next call of {@link takeChanges} starts again. */
  close(): void {
    for (const folderWatch of this.#watches.values()) folderWatch.close();
  }
}

/** Milliseconds that a burst of changes may last: editors write a file in several steps. */
const quietMs = 200;
/** Milliseconds between two checks without events, because not every file system reports changes. */
const pollMs = 30_000;

/**
 * Calls back when something in a folder or its subfolders may have changed: soon after a system event, and
 * periodically. The folder may not exist yet.
 */
export function watchFolder(
  root: string,
  clock: Pick<Clock, 'after' | 'every'>,
  onChange: () => void,
): Dispose {
  const watchers = new Map<string, FSWatcher>();
  let cancel: Dispose | undefined;
  const changed = (): void => {
    if (cancel !== undefined) return;
    cancel = clock.after(quietMs, () => {
      cancel = undefined;
      open();
      onChange();
    });
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const openOne = (folder: string): void => {
    try {
      const watcher = watch(path.join(root, folder), { persistent: false }, changed);
      watcher.on('error', () => close(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder does not exist or the system has no more watches; polling continues.
    }
  };
  const open = (): void => {
    const folders = new Set(listFolders(root));
    for (const folder of watchers.keys()) if (!folders.has(folder)) close(folder);
    for (const folder of folders) if (!watchers.has(folder)) openOne(folder);
  };
  open();
  const stop = clock.every(pollMs, () => {
    // Watch a replaced folder again.
    for (const folder of watchers.keys()) close(folder);
    open();
    onChange();
  });
  return () => {
    for (const folder of watchers.keys()) close(folder);
    stop();
    cancel?.();
  };
}
