import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Parts of Emscripten's Node file system that its types omit. */
interface NodeFileSystem {
  /** Operations on open files; `fsync` is missing. */
  readonly stream_ops: {
    fsync?: (file: { readonly nfd: number; readonly node: { mode: number } }) => number;
  };
  /** Operations on names. */
  readonly node_ops: {
    mknod: (parent: unknown, name: string, mode: number, device: number) => unknown;
    setattr: (node: unknown, attributes: { readonly mode?: number | null }) => void;
  };
  /** Converts Node errors to Emscripten errors. */
  readonly tryFSOperation: (operation: () => void) => void;
}

const fileType = 0o170_000;
const folderType = 0o040_000;

/** Permissions of group and others. */
const othersMode = 0o077;

/**
 * Files of an embedded database, accessible only to the owner regardless of the umask; the umask that PostgreSQL sets
 * has no effect in PGlite. `fsync` reaches the disk, which PGlite's own does not do, so that a commit survives a power
 * failure.
 */
export class SyncedFiles extends NodeFS {
  readonly #sync: (descriptor: number) => void;

  constructor(folder: string, sync: (descriptor: number) => void = fsyncSync) {
    super(folder);
    this.#sync = sync;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      ({ NODEFS }: { readonly NODEFS: unknown }): void => this.#addTo(NODEFS as NodeFileSystem),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #addTo(files: NodeFileSystem): void {
    const { mknod, setattr } = files.node_ops;
    files.node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~othersMode, device);
    // Emscripten sets the mode of a file again after creating it.
    files.node_ops.setattr = (node, { mode, ...rest }) =>
      setattr(node, mode === undefined || mode === null ? rest : { ...rest, mode: mode & ~othersMode });
    files.stream_ops.fsync = ({ nfd, node }) => {
      if ((node.mode & fileType) !== folderType) files.tryFSOperation(() => this.#sync(nfd));
      else this.#trySync(nfd);
      return 0;
    };
  }

  /** Flushes a directory. Not every operating system supports this. */
  #trySync(descriptor: number): void {
    try {
      this.#sync(descriptor);
    } catch {
      // Renames and new files are then flushed with the next write of the operating system.
    }
  }
}
