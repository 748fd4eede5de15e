declare const moduleMark: unique symbol;

/** Compiled code. */
export interface WasmModule {
  readonly [moduleMark]: never;
}

export interface WasmMemory {
  /** Another one after each growth. */
  readonly buffer: ArrayBuffer;
  /** By pages of 64 KiB. Throws when there is no more. */
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

/** What jq needs of the global `WebAssembly`, whose types come with those of a browser only. */
export const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WasmApi };
