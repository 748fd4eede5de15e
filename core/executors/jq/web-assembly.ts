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
