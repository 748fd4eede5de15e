import createJq from 'jq-wasm/dist/build/jq.js';
import type { JqFiles, JqImports } from './jq-files.ts';
import { raiseMemoryLimit } from './memory-limit.ts';
import { wasm, type WasmInstance, type WasmModule } from './web-assembly.ts';

/** The `jq` program of the package, with its own memory. */
interface JqProgram {
  callMain(args: string[]): number;
}

interface JqOptions {
  readonly thisProgram: string;
  /** Instantiates the program. `receive` passes the instance to the package's code. */
  instantiateWasm(info: { a: JqImports }, receive: (instance: WasmInstance) => void): object;
}

const create = createJq as (options: Partial<JqOptions>) => Promise<JqProgram>;

let compiled: Promise<WasmModule> | undefined;

/**
 * Compiles jq's code once per thread. The package does not export its binary and only passes it to
 * `WebAssembly.instantiate`, so that function is intercepted once.
 */
export function compileJq(): Promise<WasmModule> {
  compiled ??= new Promise<WasmModule>((resolve, reject) => {
    const original = wasm.instantiate;
    wasm.instantiate = (binary) => {
      wasm.instantiate = original;
      wasm.compile(raiseMemoryLimit(binary)).then(resolve, reject);
      return new Promise(() => {});
    };
    create({}).catch(reject);
  });
  return compiled;
}

/**
 * Runs `jq` once in a new instance: it is written for one run per process, so it does not free all of its memory and
 * reads its input only once. Rejects if it crashes, for example out of memory or with too deep nesting.
 * @returns its exit code
 */
export async function runJqProgram(args: readonly string[], files: JqFiles): Promise<number> {
  const code = await compileJq();
  const program = await create({
    thisProgram: 'jq',
    instantiateWasm({ a: imports }, receive) {
      const instance = new wasm.Instance(code, { a: files.serve(imports) });
      const memory = Object.values(instance.exports).find((value) => value instanceof wasm.Memory);
      if (memory === undefined) throw new Error('the package jq-wasm shows no memory');
      // Receiving the instance again after each growth makes the package's code refresh its view of the memory.
      files.attach(memory, () => receive(instance));
      receive(instance);
      return {};
    },
  });
  return program.callMain([...args]);
}
