import createJq from 'jq-wasm/dist/build/jq.js';
import type { JqFiles, JqImports } from './jq-files.ts';
import { raiseMemoryLimit } from './memory-limit.ts';
import { wasm, type WasmInstance, type WasmModule } from './web-assembly.ts';

/** The command line `jq` as the package has it, in memory of its own. */
interface JqProgram {
  callMain(args: string[]): number;
}

interface JqOptions {
  readonly thisProgram: string;
  /** Makes the program from its binary. `receive` tells the package's code where the memory is. */
  instantiateWasm(info: { a: JqImports }, receive: (instance: WasmInstance) => void): object;
}

const create = createJq as (options: Partial<JqOptions>) => Promise<JqProgram>;

let compiled: Promise<WasmModule> | undefined;

/**
 * jq's code, compiled once in a thread. The package keeps the binary to itself and only hands it to
 * `WebAssembly.instantiate`, which is therefore listened to for once.
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
 * Runs `jq` once, from scratch: it is made to end with its process, and neither gives all of its memory back nor reads
 * its input twice. Rejects when it breaks down: without memory, nested too deeply.
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
      // Told again after each growth, the package's code looks at the memory anew.
      files.attach(memory, () => receive(instance));
      receive(instance);
      return {};
    },
  });
  return program.callMain([...args]);
}
