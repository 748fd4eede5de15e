import type { ObjectEntry } from './bucket.ts';

/** A log part in the bucket. */
export interface Chunk {
  readonly key: string;
  /** Offset of its first byte in the log. */
  readonly offset: number;
  readonly bytes: number;
}

/** Digits of an offset, so that key order is offset order. */
const digits = 16;

/** Returns `<prefix>0000000000000100-50`: 50 bytes from offset 100. */
export const chunkKey = (prefix: string, offset: number, bytes: number): string =>
  `${prefix}${String(offset).padStart(digits, '0')}-${bytes}`;

/** Returns a key before all parts that start at `offset` or later. */
export const keyBefore = (prefix: string, offset: number): string =>
  prefix + String(offset).padStart(digits, '0');

/** Returns the log parts of a list of objects in order; other objects are skipped. */
export function readChunks(prefix: string, objects: readonly ObjectEntry[]): Chunk[] {
  return objects.flatMap(({ key }) => {
    const [, offset, bytes] = /^(\d{16})-(\d{1,16})$/.exec(key.slice(prefix.length)) ?? [];
    return offset === undefined ? [] : [{ key, offset: Number(offset), bytes: Number(bytes) }];
  });
}

/** Returns the number of contiguous bytes from the start of the log. */
export function endOf(chunks: readonly Chunk[]): number {
  let end = 0;
  for (const { offset, bytes } of chunks) {
    if (offset > end) break;
    end = Math.max(end, offset + bytes);
  }
  return end;
}
