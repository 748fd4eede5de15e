import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// Set-up of test files that share a process and open embedded databases, whose code would otherwise be compiled for
// each, which takes longer than most tests: all threads of a process share V8's compiled code while one references it.
const kept = globalThis as { databaseCode?: WebAssembly.Module };

const library = createRequire(import.meta.url).resolve('@electric-sql/pglite');
kept.databaseCode ??= await WebAssembly.compile(await readFile(join(library, '../pglite.wasm')));
