import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';

/** Characters of a file below which its compiled form saves less than it takes to read. */
const worthKeeping = 24_576;

/** Files that are kept; builds that are gone leave theirs. */
const mostFiles = 100;

export interface Keeping {
  /** Of the built program. Only files that lie in it are kept. */
  readonly program: string;
  /** Where compiled code goes; made when there is something to keep. */
  readonly cache: string;
  /** Kinds of commands are kept apart: what one calls says nothing of what another will. */
  readonly kind: string;
}

/**
 * Loads the files of the program with the functions that an earlier command has called. Node's own cache has only what
 * runs while a file is loaded, so that `engine start` would spend a fifth of its time on compiling a thousand functions
 * again. The first command writes them down when it ends. A file is known by its name, which has a hash of its content.
 * @returns writes them down at once: for a process that stays, may be killed, and forgets meanwhile what its start called
 */
export function keepCalledFunctions(keeping: Keeping): () => void {
  const { program } = keeping;
  const { extensions } = createRequire(import.meta.url);
  const loadUsually = extensions['.js'];
  const fresh: FreshCode[] = [];
  extensions['.cjs'] = (module, file) => {
    const text = path.dirname(file) === program ? readFileSync(file, 'utf8') : '';
    if (text.length < worthKeeping) loadUsually(module, file);
    else runKept(module, { file, text }, keeping, fresh);
  };
  const keep = (): void => keepAll(keeping, fresh.splice(0));
  process.once('exit', keep);
  return keep;
}

interface FreshCode {
  readonly script: Script;
  readonly target: string;
}

function runKept(
  module: NodeJS.Module,
  { file, text }: { readonly file: string; readonly text: string },
  { cache, kind }: Keeping,
  fresh: FreshCode[],
): void {
  const target = path.join(cache, `${path.basename(file)}.${kind}.${process.versions.v8}`);
  const cachedData = tryReading(target);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (!cachedData || script.cachedDataRejected) fresh.push({ script, target });
  const run = script.runInThisContext() as (...parts: readonly unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
}

function tryReading(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** The next command starts more slowly when it fails; nothing else depends on it. */
function keepAll({ cache }: Keeping, fresh: readonly FreshCode[]): void {
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
    // A cache that cannot be written is a cache that is not there.
  }
}

function removeOldest(cache: string): void {
  const files = readdirSync(cache).map((name) => path.join(cache, name));
  if (files.length <= mostFiles) return;
  const timeOf = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
  const newestFirst = files.toSorted((left, right) => timeOf.get(right)! - timeOf.get(left)!);
  for (const file of newestFirst.slice(mostFiles)) rmSync(file, { force: true });
}
