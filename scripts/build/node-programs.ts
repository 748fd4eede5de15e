import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { InlineConfig, Plugin } from 'vite';
import { precompileValidators } from '../precompile-validators.ts';
import { asciiOnly } from './ascii-only.ts';
import { emptyDatabase } from './empty-database.ts';
import { leaveOut } from './left-out.ts';
import { commandInPieces } from './pieces.ts';
import { replaceDirname } from './replace-dirname.ts';
import { routeTable } from './route-table.ts';
import { shortenExamples } from './shorten-examples.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Packages with native parts or files of their own beside the code: they stay in node_modules. */
export const EXTERNAL = [
  'electron',
  'better-sqlite3',
  'node-pty',
  'systeminformation',
  '@electric-sql/pglite',
];
/** Native parts that a package does without where they are not there, as in the bundle (ssh2). */
const OPTIONAL = [/\.node$/, 'cpu-features', 'pg-native', 'pg-cloudflare'];
const BUILT_INS = [...builtinModules, /^node:/];

/** A bundle for Node: where it goes and which files are its entries. */
interface NodeProgram {
  /** Folder below `out/`. */
  readonly folder: string;
  /** Name of the built file (without extension) → source file. */
  readonly entries: Readonly<Record<string, string>>;
  /**
   * CommonJS where Electron or a thread wants it, and for the command: its modules are loaded in a tenth less time, and
   * their compiled functions can be kept (core/cli/loading/called-functions.ts).
   */
  readonly format: 'es' | 'cjs';
  /** Whether what is imported at run time, if at all, has files of its own; else the program is one file. */
  readonly inChunks?: boolean;
  /** Whether people wait for it to load, each time. */
  readonly startsOften?: boolean;
  /** How its modules are put together, where the bundler's own way is not good enough. */
  readonly pieces?: () => Plugin;
  /** Puts a file beside the program that it reads. */
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
    pieces: commandInPieces,
  },
  // A thread of the engine in either of them (core/executors/jq/jq-worker.ts).
  { folder: 'worker', entries: { jq: 'core/executors/jq/jq-thread.ts' }, format: 'cjs' },
  // A thread for each search of a log (core/logs/search/log-searches.ts).
  { folder: 'log-search', entries: { thread: 'core/logs/search/search-thread.ts' }, format: 'cjs' },
  // Threads for regular expressions that may take long (core/threads/patterns/match-lines.ts).
  { folder: 'patterns', entries: { thread: 'core/threads/patterns/pattern-thread.ts' }, format: 'cjs' },
  // Threads that check parameters with a schema (core/run/params/param-schema.ts).
  { folder: 'param-schema', entries: { thread: 'core/run/params/schema-thread.ts' }, format: 'cjs' },
  // A thread for large workflow files (core/loading/load-in-thread.ts).
  { folder: 'loading', entries: { thread: 'core/loading/load-thread.ts' }, format: 'cjs' },
  // A thread that knows pronouns (core/quotes/pronoun/pronouns.ts).
  { folder: 'pronouns', entries: { thread: 'core/quotes/pronoun/pronoun-thread.ts' }, format: 'cjs' },
  // The embedded database of the gateway (core/gateway/database/embedded/engine-worker.ts).
  {
    folder: 'database',
    entries: { thread: 'core/gateway/database/embedded/engine-thread.ts' },
    format: 'cjs',
    data: emptyDatabase,
  },
  // Threads that parse large bodies of the gateway (core/gateway/query/body/body-reader.ts).
  {
    folder: 'gateway-body',
    entries: { thread: 'core/gateway/query/body/body-thread.ts' },
    format: 'cjs',
  },
  // The connection of a store on PostgreSQL (core/store/database/postgres/session-line.ts).
  {
    folder: 'session',
    entries: { thread: 'core/store/database/postgres/session-thread.ts' },
    format: 'cjs',
  },
  // A thread that goes on when the main thread stands still (core/process/watchdog/watchdog.ts).
  { folder: 'watchdog', entries: { thread: 'core/process/watchdog/thread.ts' }, format: 'cjs' },
  // A process of its own beside the engine (core/process/supervisor/start-supervisor.ts).
  { folder: 'supervisor', entries: { program: 'core/process/supervisor/program.ts' }, format: 'cjs' },
];

/** The Vite configuration of one Node bundle. */
export function configureNodeBuild(
  { folder, entries, format, inChunks = false, startsOften = false, pieces, data }: NodeProgram,
  plugins: Plugin[] = [],
): InlineConfig {
  const extension = format === 'cjs' ? 'cjs' : 'js';
  return {
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [
      precompileValidators(),
      routeTable(),
      replaceDirname(),
      shortenExamples(),
      leaveOut(),
      ...(pieces ? [pieces()] : []),
      ...(data ? [data()] : []),
      ...(startsOften ? [asciiOnly()] : []),
      ...plugins,
    ],
    ssr: { noExternal: true, external: EXTERNAL },
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
        external: [...EXTERNAL, ...OPTIONAL, ...BUILT_INS],
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          // Chunks lie beside their entry, so that `../../resources` from `import.meta.url` means the same folder in a
          // chunk as in a source file of core/<folder>/.
          chunkFileNames: `[name]-[hash].${extension}`,
          codeSplitting: inChunks,
          // Node warns of an `import()` in a file whose compiled functions are kept.
          dynamicImportInCjs: false,
          comments: { legal: true, annotation: false, jsdoc: !startsOften },
        },
      },
    },
  };
}
