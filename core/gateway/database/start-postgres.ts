import {
  fsyncSync,
  chmodSync,
  existsSync,
  readdirSync,
  rmSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { open, readdir } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { createRequire } from 'node:module';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { PGlite } from '@electric-sql/pglite';
import { extract } from 'tar-stream';
import { fsyncDir } from '../../process/write-file-durable.ts';

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

/** PGlite's defaults without `-F`, which would disable fsync. */
const durable = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  // The default, fdatasync, does nothing in PGlite.
  ...['-c', 'wal_sync_method=fsync'],
];

/**
 * A quarter of the default page cache, which the engine clears when it opens: a quarter of the startup time and 100 MB
 * less memory. Other pages come from the operating system's cache at the same speed.
 */
const cache = ['-c', 'shared_buffers=32MB'];

/** PostgreSQL keeps write-ahead log files for reuse. The default of one gigabyte exceeds most databases. */
const log = ['-c', 'max_wal_size=128MB', '-c', 'min_wal_size=32MB'];

/**
 * Files that a crashed engine leaves behind. A server removes temporary files at startup; single-user mode does not. A
 * lock file that was not flushed completely would prevent opening the database. Exclusive access has been ensured
 * before.
 */
const leftovers = ['base/pgsql_tmp', 'postmaster.pid'];

/** Removes group and other permissions from the relation cache files, which earlier versions left readable. */
function restrictPermissions(folder: string): void {
  const base = join(folder, 'base');
  const databases = existsSync(base) ? readdirSync(base).map((name) => join(base, name)) : [];
  for (const directory of [join(folder, 'global'), ...databases]) {
    const catalog = join(directory, 'pg_internal.init');
    if (existsSync(catalog)) chmodSync(catalog, 0o600);
  }
}

/**
 * Starts PostgreSQL in this thread, on a data directory that no other process uses.
 * @param sync flushes an open file to disk
 */
export async function startPostgres(folder: string, sync?: (descriptor: number) => void): Promise<PGlite> {
  for (const leftover of leftovers) rmSync(join(folder, leftover), { recursive: true, force: true });
  restrictPermissions(folder);
  return await PGlite.create({
    fs: new SyncedFiles(folder, sync),
    startParams: [...durable, ...cache, ...log],
  });
}

/** Number of parallel flushes. The disk can flush several files at once. */
const atOnce = 16;

/** Flushes a directory and all its contents to disk. */
async function fsyncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const rest = entries.values();
  const worker = async (): Promise<void> => {
    for (const entry of rest) {
      const path = join(entry.parentPath, entry.name);
      await (entry.isDirectory() ? fsyncDir(path) : syncFile(path));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await fsyncDir(folder);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Empty data directory that the build adds next to the thread (`scripts/build/node-programs.ts`). Missing when
 * running from source.
 */
const prepared = join(import.meta.dirname, 'empty.tar.gz');

/** Chunk size for reading. The default of 16 KiB takes twice as long. */
const pieceBytes = 1 << 20;

/**
 * Creates the data directory unless it exists. It is renamed into place only when it is complete and flushed to disk,
 * because an incomplete directory would be taken for a database.
 * @param initialize creates a data directory if there is no prebuilt one, which takes PostgreSQL seconds
 * @param settle flushes a directory to disk
 */
export async function makeDataDirectory(
  folder: string,
  initialize: (folder: string) => Promise<void>,
  settle: (folder: string) => Promise<void> = fsyncTree,
): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  assertEmpty(folder);
  if (existsSync(prepared)) await unpack(prepared, draft);
  else await initialize(draft);
  await settle(draft);
  if (existsSync(folder)) rmdirSync(folder);
  renameSync(draft, folder);
  await fsyncDir(dirname(folder));
}

function assertEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(
      `${folder} contains files but no PG_VERSION, so it is not a database. Move the folder, or restore a backup with "engine gateway restore FILE --force".`,
    );
}

async function unpack(file: string, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const entries = extract();
  entries.end(gunzipSync(readFileSync(file), { chunkSize: pieceBytes }));
  for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Entry }>) {
    const path = join(folder, entry.header.name);
    const content = await buffer(entry);
    if (entry.header.type === 'directory') mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, content, { mode: 0o600 });
  }
}

interface Entry {
  readonly name: string;
  readonly type?: string | null;
}

/** Path of PGlite's files in its virtual file system. */
const PREFIX = '/pglite';

const BUNDLE_SUFFIX = '.tar.gz';

/** A bundle of several extensions, none of which has its name. */
const SPI = 'spi';

/**
 * Extensions that PGlite ships as file bundles. Loading all at startup takes half a second and 50 MB, so they are
 * loaded when a statement mentions extensions, or if the database already uses some.
 */
export class Extensions {
  readonly #engine: PGlite;
  readonly #folder: string;
  #unloaded: Set<string>;

  constructor(engine: PGlite) {
    this.#engine = engine;
    this.#folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
    this.#unloaded = new Set(listBundles(this.#folder));
  }

  /** Loads the extensions that are installed in the database, by name. */
  async loadInstalled(names: readonly string[]): Promise<void> {
    const bundles = names.map((name) => (this.#unloaded.has(name) ? name : SPI));
    for (const bundle of new Set(bundles)) await this.#load(bundle);
  }

  /** Loads all extensions before statements that may create one. */
  async loadFor(statements: readonly { readonly text: string }[]): Promise<void> {
    if (this.#unloaded.size === 0 || !statements.some(({ text }) => /extension/i.test(text))) return;
    for (const bundle of this.#unloaded) await this.#load(bundle);
  }

  async #load(bundle: string): Promise<void> {
    if (!this.#unloaded.delete(bundle)) return;
    const entries = extract();
    entries.end(gunzipSync(readFileSync(join(this.#folder, `${bundle}${BUNDLE_SUFFIX}`))));
    for await (const entry of entries as unknown as AsyncIterable<Readable & { header: Entry }>) {
      const content = await buffer(entry);
      if (entry.header.type === 'file') this.#engine.copyToFS(`${PREFIX}/${entry.header.name}`, content);
    }
  }
}

const listBundles = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(BUNDLE_SUFFIX))
    .map((file) => file.slice(0, -BUNDLE_SUFFIX.length));
