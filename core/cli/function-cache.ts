import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';

/** Minimum file size in bytes. Below it, reading the compiled code takes longer than it saves. */
const minFileLength = 24_576;

/** Maximum number of cached files; old builds leave files behind. */
const maxFiles = 100;

export interface FunctionCacheOptions {
  /** Root of the built program. Only its files are cached. */
  readonly program: string;
  /** Cache directory, created on demand. */
  readonly cache: string;
  /** Command kind. Each has its own cache, because they call different functions. */
  readonly kind: string;
}

/**
 * Loads program files with the compiled functions that earlier commands called. Node's own cache contains only
 * functions that run during loading, so `engine start` would spend a fifth of its time compiling a thousand functions
 * again. The first command writes the cache at exit. Files are keyed by name, which contains a content hash.
 * @returns a function that writes the cache now, for a long-running process, which may be killed, and whose garbage
 * collector may discard the code of its start
 */
export function cacheCalledFunctions(options: FunctionCacheOptions): () => void {
  const { program } = options;
  const { extensions } = createRequire(import.meta.url);
  const loadUsually = extensions['.js'];
  const fresh: FreshCode[] = [];
  extensions['.cjs'] = (module, file) => {
    if (path.dirname(file) !== program || statSync(file).size < minFileLength) loadUsually(module, file);
    else runCached(module, file, options, fresh);
  };
  const keep = (): void => writeCache(options, fresh.splice(0));
  process.once('exit', keep);
  return keep;
}

interface FreshCode {
  readonly script: Script;
  readonly target: string;
}

function runCached(
  module: NodeJS.Module,
  file: string,
  { cache, kind }: FunctionCacheOptions,
  fresh: FreshCode[],
): void {
  const target = path.join(cache, `${path.basename(file)}.${kind}.${process.versions.v8}`);
  const cachedData = readIfExists(target);
  const script = new Script(readAsFunction(file), {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) fresh.push({ script, target });
  const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
}

/**
 * Reads a file of plain ASCII as a function. V8 uses a long string of this kind in place; one put together of parts
 * would be copied twice.
 */
function readAsFunction(file: string): string {
  const head = '(function (exports, require, module, __filename, __dirname) { ';
  const tail = '\n})';
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const text = Buffer.allocUnsafe(head.length + size + tail.length);
    text.write(head, 'latin1');
    readSync(descriptor, text, head.length, size, 0);
    text.write(tail, head.length + size, 'latin1');
    return text.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Writes the cache. If this fails, the next command only starts more slowly. */
function writeCache({ cache }: FunctionCacheOptions, fresh: readonly FreshCode[]): void {
  if (fresh.length === 0) return;
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    for (const { script, target } of fresh) {
      const unfinished = `${target}.${process.pid}`;
      writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 });
      renameSync(unfinished, target);
    }
    removeOldest(cache);
  } catch {
    // The cache is optional.
  }
}

function removeOldest(cache: string): void {
  const files = readdirSync(cache).map((name) => path.join(cache, name));
  if (files.length <= maxFiles) return;
  const mtimeByFile = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  const newestFirst = files.toSorted((a, b) => mtimeByFile.get(b)! - mtimeByFile.get(a)!);
  for (const file of newestFirst.slice(maxFiles)) rmSync(file, { force: true });
}
