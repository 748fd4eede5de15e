import { fsyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** What Emscripten's types leave out of its file system over Node's. */
interface NodeFileSystem {
  /** What is done with open files; `fsync` is missing. */
  readonly stream_ops: {
    fsync?: (file: { readonly nfd: number; readonly node: { mode: number } }) => number;
  };
  /** What is done with names. */
  readonly node_ops: {
    mknod: (parent: unknown, name: string, mode: number, device: number) => unknown;
    setattr: (node: unknown, attributes: { readonly mode?: number | null }) => void;
  };
  /** Turns what Node throws into what Emscripten knows. */
  readonly tryFSOperation: (operation: () => void) => void;
}

const fileType = 0o170_000;
const folderType = 0o040_000;

/** Rights of everybody but the owner. */
const othersMode = 0o077;

/**
 * The files of an embedded database, which are for their owner alone, whatever the umask of the process: PostgreSQL sets
 * its own, which does nothing in PGlite. Their `fsync` reaches the disk, which it does not
 * with PGlite's own: a commit is there before it is answered, whatever becomes of the machine.
 */
export class SyncedFiles extends NodeFS {
  readonly #sync: (descriptor: number) => void;

  constructor(folder: string, sync: (descriptor: number) => void = fsyncSync) {
    super(folder);
    this.#sync = sync;
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      ({ NODEFS }: { readonly NODEFS: unknown }): void => this.#addTo(NODEFS as NodeFileSystem),
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #addTo(files: NodeFileSystem): void {
    const { mknod, setattr } = files.node_ops;
    files.node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~othersMode, device);
    // Emscripten gives a file its mode once more when it has made it.
    files.node_ops.setattr = (node, { mode, ...rest }) =>
      setattr(node, mode === undefined || mode === null ? rest : { ...rest, mode: mode & ~othersMode });
    files.stream_ops.fsync = ({ nfd, node }) => {
      if ((node.mode & fileType) !== folderType) files.tryFSOperation(() => this.#sync(nfd));
      else this.#trySync(nfd);
      return 0;
    };
  }

  /** Of a folder: not every system writes one out when it is told to. */
  #trySync(descriptor: number): void {
    try {
      this.#sync(descriptor);
    } catch {
      // What was renamed or made in it is on the disk with the system's next write.
    }
  }
}
