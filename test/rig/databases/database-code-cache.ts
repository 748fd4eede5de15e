import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

let compiledModule: Promise<WebAssembly.Module> | undefined;

/**
 * Keeps the code of the embedded database for the life of this process, and with it V8's compiled code: all
 * threads of a process share that while one references it. Otherwise each database that a test opens would be
 * compiled again.
 */
export const cacheDatabaseCode = (): Promise<WebAssembly.Module> => (compiledModule ??= compile());

async function compile(): Promise<WebAssembly.Module> {
  const library = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(library, '../pglite.wasm')));
}
