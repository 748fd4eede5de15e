const pageBytes = 65_536;
/** Maximum that two bytes can encode in the binary: 1 GiB minus one page. */
const maxPages = 16_383;
/** Maximum memory of one jq, whatever its step specifies. Bytes. */
export const maxMemoryBytes = maxPages * pageBytes;

const headerBytes = 8;
const memorySection = 5;

/**
 * Returns the binary with a higher memory limit than its own 256 MiB, because values take about 20 times the size of
 * their JSON.
 * @throws if the binary declares its limits in another way
 */
export function raiseMemoryLimit(binary: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const raised = binary.slice();
  const reader = { bytes: raised, position: headerBytes };
  while (reader.position < raised.length) {
    const section = raised[reader.position]!;
    reader.position += 1;
    const length = readNumber(reader);
    if (section !== memorySection) {
      reader.position += length;
      continue;
    }
    const [memories, flags] = [readNumber(reader), readNumber(reader)];
    readNumber(reader);
    const limitAt = reader.position;
    readNumber(reader);
    if (memories !== 1 || flags !== 1 || reader.position !== limitAt + 2) break;
    raised.set([0x80 | (maxPages & 0x7f), maxPages >> 7], limitAt);
    return raised;
  }
  throw new Error('the package jq-wasm states no limit for its memory');
}

/** LEB128: seven bits per byte, lowest first. */
function readNumber(reader: { readonly bytes: Uint8Array; position: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.position]!;
    reader.position += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
}

declare const moduleMark: unique symbol;

export interface WasmModule {
  readonly [moduleMark]: never;
}

export interface WasmMemory {
  /** Replaced after each growth. */
  readonly buffer: ArrayBuffer;
  /**
   * Grows by pages of 64 KiB.
   * @throws if no more memory is available
   */
  grow(pages: number): number;
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmApi {
  instantiate: (binary: Uint8Array<ArrayBuffer>) => Promise<never>;
  compile(binary: Uint8Array<ArrayBuffer>): Promise<WasmModule>;
  readonly Instance: new (code: WasmModule, imports: object) => WasmInstance;
  readonly Memory: abstract new () => WasmMemory;
}

/** The members of the global `WebAssembly` that jq needs; its types are only in the DOM library. */
export const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmApi };
