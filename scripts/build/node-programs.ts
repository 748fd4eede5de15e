import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  writeFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { builtinModules } from 'node:module';
import { pack } from 'tar-stream';
import type { Plugin, InlineConfig } from 'vite';
import packageJson from '../../package.json' with { type: 'json' };
import {
  precompileValidators,
  escapeNonAscii,
  excludeModules,
  cliChunks,
  replaceDirname,
  routeTable,
  shareExamples,
} from './bundle-plugins.ts';
import { compileSchemas } from './compiled-schemas.ts';
import { bundleSqlite, lazyNodeModules, plainExports, postponeImports } from './startup-plugins.ts';

/**
 * The paths of the engine's server in development; all others, including a directory `api`, belong to the
 * renderer.
 */
export const ENGINE_PATHS = '^/(api/v[0-9]+|webhooks|gateway|repos|orgs)/';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Writes the programs of `bin` in package.json: `out/cli/engine.js`, which selects the Node binary and the compile
 * cache, and `out/cli/stepwright.js`, which opens the app.
 */
export function writeLaunchers(): void {
  const folder = join(ROOT, 'out/cli');
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of [
    ['engine.js', 'engine-launcher.cjs'],
    ['stepwright.js', 'app-launcher.cjs'],
  ] as const) {
    copyFileSync(join(import.meta.dirname, source), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  // Node loads a CommonJS program faster; `bin` and installed services refer to these file names.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/stepwright-embedded');

/**
 * Writes an empty data directory of the embedded database next to its thread, which copies it: creating one
 * takes PostgreSQL seconds (core/gateway/database/start-postgres.ts).
 */
const emptyDatabasePlugin = (): Plugin => ({
  name: 'stepwright:empty-database',
  // Vite omits files of earlier plugins from Node bundles.
  enforce: 'post',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'empty.tar.gz', source: await readEmptyDatabase() });
  },
});

/** Created once per release of the database package. */
async function readEmptyDatabase(): Promise<Buffer> {
  const file = join(CACHE, `${packageJson.dependencies['@electric-sql/pglite']}.tar.gz`);
  if (!existsSync(file)) await makeEmptyDatabase(file);
  return readFileSync(file);
}

async function makeEmptyDatabase(file: string): Promise<void> {
  // Builds with a cached copy do not load it.
  const { PGlite } = await import('@electric-sql/pglite');
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${file}-`);
  try {
    const folder = join(draft, 'pgdata');
    const engine = await PGlite.create({ dataDir: folder });
    await engine.close();
    const packed = join(draft, 'packed');
    writeFileSync(packed, gzipSync(await packFolder(folder), { level: 9 }));
    renameSync(packed, file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @returns a tar file in which each directory precedes its contents */
function packFolder(folder: string): Promise<Buffer> {
  const archive = pack();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pages = entries.map((entry) => ({ entry, filePath: join(entry.parentPath, entry.name) }));
  for (const { entry, filePath } of pages.toSorted((a, b) => (a.filePath < b.filePath ? -1 : 1))) {
    const name = relative(folder, filePath).split(sep).join('/');
    if (entry.isDirectory()) archive.entry({ name, type: 'directory' });
    else archive.entry({ name }, readFileSync(filePath));
  }
  archive.finalize();
  return buffer(archive);
}

/** Packages with native modules or data files next to the code: they stay in node_modules. */
export const EXTERNAL = [
  'electron',
  'better-sqlite3',
  'node-pty',
  'systeminformation',
  '@electric-sql/pglite',
];
/** Native modules that are optional for their package, and absent in the bundle (ssh2). */
const OPTIONAL = [/\.node$/, 'cpu-features', 'pg-native', 'pg-cloudflare'];
const BUILT_INS = [...builtinModules, /^node:/];

/** A bundle for Node: its output directory and its entry files. */
interface NodeProgram {
  /** Directory below `out/`. */
  readonly folder: string;
  /** Name of the built file (without extension) → source file. */
  readonly entries: Readonly<Record<string, string>>;
  /**
   * CommonJS where Electron or a thread requires it, and for the command: it loads ten percent faster, and its
   * compiled functions can be cached (core/cli/function-cache.ts).
   */
  readonly format: 'es' | 'cjs';
  /** Whether dynamic imports have their own files; otherwise the program is one file. */
  readonly inChunks?: boolean;
  /** Whether users wait for it to load at each start. */
  readonly startsOften?: boolean;
  /** How its modules are chunked, if the bundler's default is not good enough. */
  readonly pieces?: () => Plugin;
  /** Writes a data file next to the program. */
  readonly data?: () => Plugin;
}

export const NODE_PROGRAMS: readonly NodeProgram[] = [
  { folder: 'main', entries: { index: 'main/index.ts' }, format: 'es', inChunks: true, startsOften: true },
  { folder: 'preload', entries: { index: 'preload/index.ts' }, format: 'cjs' },
  {
    folder: 'cli',
    entries: { program: 'core/cli/main.ts' },
    format: 'cjs',
    inChunks: true,
    startsOften: true,
    pieces: cliChunks,
  },
  // A thread of the engine in both of them (core/executors/jq/jq-pool.ts).
  { folder: 'worker', entries: { jq: 'core/executors/jq/jq-thread.ts' }, format: 'cjs' },
  // A thread for each log search (core/run/logs/log-searches.ts).
  { folder: 'log-search', entries: { thread: 'core/run/logs/search-thread.ts' }, format: 'cjs' },
  // Threads for regular expressions that may take long (core/process/threads/match-lines.ts).
  { folder: 'patterns', entries: { thread: 'core/process/threads/pattern-thread.ts' }, format: 'cjs' },
  // Threads that validate parameters with a schema (core/run/params/param-schema.ts).
  { folder: 'param-schema', entries: { thread: 'core/run/params/schema-thread.ts' }, format: 'cjs' },
  // A thread for large workflow files (core/home/library/load-in-thread.ts).
  { folder: 'loading', entries: { thread: 'core/home/library/load-thread.ts' }, format: 'cjs' },
  // A thread that determines pronouns (core/api/quotes/quotes.ts).
  { folder: 'pronouns', entries: { thread: 'core/api/quotes/pronoun-thread.ts' }, format: 'cjs' },
  // The embedded database of the gateway (core/gateway/database/engine-worker.ts).
  {
    folder: 'database',
    entries: { thread: 'core/gateway/database/engine-thread.ts' },
    format: 'cjs',
    data: emptyDatabasePlugin,
  },
  // Threads that parse large request bodies of the gateway (core/gateway/query/body-reader.ts).
  {
    folder: 'gateway-body',
    entries: { thread: 'core/gateway/query/body-thread.ts' },
    format: 'cjs',
  },
  // A thread that keeps running while the main thread is blocked (core/process/watchdog/watchdog.ts).
  { folder: 'watchdog', entries: { thread: 'core/process/watchdog/thread.ts' }, format: 'cjs' },
  // A separate process next to the engine (core/process/supervisor/supervisor-link.ts).
  { folder: 'supervisor', entries: { program: 'core/process/supervisor/program.ts' }, format: 'cjs' },
];

/** Returns the Vite configuration of one Node bundle. */
export function configureNodeBuild(
  { folder, entries, format, inChunks = false, startsOften = false, pieces, data }: NodeProgram,
  plugins: Plugin[] = [],
): InlineConfig {
  const extension = format === 'cjs' ? 'cjs' : 'js';
  const isCommand = startsOften && format === 'cjs';
  const external = isCommand ? EXTERNAL.filter((name) => name !== 'better-sqlite3') : EXTERNAL;
  return {
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [
      precompileValidators(),
      routeTable(),
      compileSchemas(),
      replaceDirname(),
      shareExamples(),
      excludeModules(),
      ...(pieces ? [pieces()] : []),
      ...(data ? [data()] : []),
      ...(startsOften ? [escapeNonAscii()] : []),
      ...(isCommand ? [postponeImports(), bundleSqlite(), lazyNodeModules(), plainExports()] : []),
      ...plugins,
    ],
    ssr: { noExternal: true, external },
    publicDir: false,
    build: {
      ssr: true,
      outDir: `out/${folder}`,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      sourcemap: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)])),
        external: [...external, ...OPTIONAL, ...BUILT_INS],
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          // Chunks are next to their entry, so that `../../resources` from `import.meta.url` resolves to the
          // same directory in a chunk as in a source file of core/<folder>/.
          chunkFileNames: `[name]-[hash].${extension}`,
          codeSplitting: inChunks,
          // Node warns about `import()` in a file with cached compiled functions.
          dynamicImportInCjs: false,
          comments: { legal: true, annotation: false, jsdoc: !startsOften },
        },
      },
    },
  };
}
