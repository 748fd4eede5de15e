import type { JqJob } from './jq-job.ts';
import type { WasmMemory } from './memory-limit.ts';

/** System functions that jq imports, by their short names in the package. */
export type JqImports = Record<string, (...args: number[]) => unknown>;

/** jq aborted, for example because it ran out of memory. It has already printed the reason. */
export class JqAbort extends Error {
  override readonly name = 'JqAbort';
}

/** An open file. */
interface OpenFile {
  readonly bytes: Uint8Array;
  position: number;
}

/** First file descriptor of our files; the package's own start at 0. */
const firstNumber = 1000;
const stdoutNumber = 1;
const stderrNumber = 2;
/** Error numbers of the package's C library. */
const errors = { notSeekable: 70 } as const;

/**
 * Files, environment and output of one jq. Replaces the implementation of the package, which moves all bytes for each
 * byte that is read or written, and corrupts non-ASCII characters in the environment.
 */
export class JqFiles {
  #memory: WasmMemory | undefined;
  #onMemoryGrowth: () => void = () => {};
  readonly #contents: ReadonlyMap<string, Uint8Array>;
  readonly #environment: readonly Uint8Array[];
  readonly #write: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
  readonly #memoryBytes: number;
  readonly #open = new Map<number, OpenFile>();

  /**
   * @param contents by path
   * @param options `memoryBytes`: limit of jq's memory
   * @param write receives bytes, which it then owns
   */
  constructor(
    contents: ReadonlyMap<string, Uint8Array>,
    { env, memoryBytes }: Pick<JqJob, 'env' | 'memoryBytes'>,
    write: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void,
  ) {
    this.#contents = contents;
    this.#memoryBytes = memoryBytes;
    this.#environment = Object.entries(env).map(([name, value]) => Buffer.from(`${name}=${value}\0`));
    this.#write = write;
  }

  /**
   * Attaches the memory of the jq instance.
   * @param onMemoryGrowth called after each growth
   */
  attach(memory: WasmMemory, onMemoryGrowth: () => void): void {
    this.#memory = memory;
    this.#onMemoryGrowth = onMemoryGrowth;
  }

  /**
   * Returns the imports with our functions in place of the package's.
   * @throws if the package has different imports
   */
  serve(imports: JqImports): JqImports {
    const served = { ...imports };
    for (const [name, replace] of Object.entries(this.#replacements())) {
      const found = Object.entries(imports).find(([, { name: long }]) => long === name);
      if (found === undefined) throw new Error(`the package jq-wasm has no function ${name}`);
      served[found[0]] = replace(found[1]);
    }
    return served;
  }

  #replacements(): Record<
    string,
    (original: (...args: number[]) => unknown) => (...args: number[]) => unknown
  > {
    return {
      ___syscall_openat:
        (original) =>
        (folder = 0, path = 0, ...rest) =>
          this.#openFile(path) ?? original(folder, path, ...rest),
      // jq only checks that it is not a folder; stdin is not a folder either.
      ___syscall_fstat64:
        (original) =>
        (number = 0, ...rest) =>
          original(this.#open.has(number) ? 0 : number, ...rest),
      _fd_read:
        (original) =>
        (number = 0, ...rest) => {
          const file = this.#open.get(number);
          return file === undefined ? original(number, ...rest) : this.#read(file, rest);
        },
      _fd_seek:
        (original) =>
        (number = 0, ...rest) =>
          this.#open.has(number) ? errors.notSeekable : original(number, ...rest),
      _fd_close:
        (original) =>
        (number = 0) =>
          this.#open.delete(number) ? 0 : original(number),
      _fd_write:
        (original) =>
        (number = 0, ...rest) =>
          number === stdoutNumber || number === stderrNumber
            ? this.#print(number === stdoutNumber ? 'stdout' : 'stderr', rest)
            : original(number, ...rest),
      _emscripten_resize_heap:
        () =>
        (requiredBytes = 0) =>
          this.#grow(requiredBytes >>> 0),
      // The package's own function would print to the engine's terminal.
      __abort_js: () => () => {
        throw new JqAbort();
      },
      _environ_sizes_get: () => (count, size) => this.#sizeEnvironment(count, size),
      _environ_get: () => (pointers, bytes) => this.#copyEnvironment(pointers, bytes),
    };
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#memory!.buffer);
  }

  get #view(): DataView {
    return new DataView(this.#memory!.buffer);
  }

  /** Returns undefined for a file that is not in `contents`. */
  #openFile(path: number): number | undefined {
    const end = this.#bytes.indexOf(0, path);
    const bytes = this.#contents.get(Buffer.from(this.#bytes.subarray(path, end)).toString());
    if (bytes === undefined) return undefined;
    const number = firstNumber + this.#open.size;
    this.#open.set(number, { bytes, position: 0 });
    return number;
  }

  #read(file: OpenFile, [vectors = 0, count = 0, result = 0]: number[]): number {
    let total = 0;
    for (const target of this.#listVectors(vectors, count)) {
      const part = file.bytes.subarray(file.position, file.position + target.length);
      target.set(part);
      file.position += part.length;
      total += part.length;
    }
    this.#view.setUint32(result, total, true);
    return 0;
  }

  #print(stream: 'stdout' | 'stderr', [vectors = 0, count = 0, result = 0]: number[]): number {
    let total = 0;
    for (const part of this.#listVectors(vectors, count)) {
      if (part.length > 0) this.#write(stream, part.slice());
      total += part.length;
    }
    this.#view.setUint32(result, total, true);
    return 0;
  }

  /** Yields memory ranges from a list of addresses and lengths. */
  *#listVectors(vectors: number, count: number): Generator<Uint8Array> {
    for (let index = 0; index < count; index += 1) {
      const address = this.#view.getUint32(vectors + 8 * index, true);
      const length = this.#view.getUint32(vectors + 8 * index + 4, true);
      yield this.#bytes.subarray(address, address + length);
    }
  }

  /** Grows the memory to the requested size plus a reserve. jq itself reports if no more memory is available. */
  #grow(requiredBytes: number): number {
    const memory = this.#memory!;
    const size = Math.min(this.#memoryBytes, Math.max(requiredBytes, memory.buffer.byteLength * 1.2));
    if (requiredBytes > this.#memoryBytes) return 0;
    try {
      memory.grow(Math.ceil((size - memory.buffer.byteLength) / 65_536));
    } catch {
      return 0;
    }
    this.#onMemoryGrowth();
    return 1;
  }

  #sizeEnvironment(count = 0, size = 0): number {
    this.#view.setUint32(count, this.#environment.length, true);
    const total = this.#environment.reduce((sum, { length }) => sum + length, 0);
    this.#view.setUint32(size, total, true);
    return 0;
  }

  #copyEnvironment(pointers = 0, bytes = 0): number {
    let position = bytes;
    for (const [index, entry] of this.#environment.entries()) {
      this.#view.setUint32(pointers + 4 * index, position, true);
      this.#bytes.set(entry, position);
      position += entry.length;
    }
    return 0;
  }
}
