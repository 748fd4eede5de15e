import type { Listed } from './bucket.ts';

/** A part of a log in the bucket. */
export interface Chunk {
  readonly key: string;
  /** Of its first byte in the log. */
  readonly offset: number;
  readonly bytes: number;
}

/** Digits of an offset, so that keys are in the order of offsets. */
const digits = 16;

/** `<prefix>0000000000000100-50`: 50 bytes from the hundredth on. */
export const chunkKey = (prefix: string, offset: number, bytes: number): string =>
  `${prefix}${String(offset).padStart(digits, '0')}-${bytes}`;

/** A key that comes before all parts which begin at `offset` or later. */
export const keyBefore = (prefix: string, offset: number): string =>
  prefix + String(offset).padStart(digits, '0');

/** The parts among the objects of a log, in their order; others are left out. */
export function readChunks(prefix: string, objects: readonly Listed[]): Chunk[] {
  return objects.flatMap(({ key }) => {
    const [, offset, bytes] = /^(\d{16})-(\d{1,16})$/.exec(key.slice(prefix.length)) ?? [];
    return offset === undefined ? [] : [{ key, offset: Number(offset), bytes: Number(bytes) }];
  });
}

/** Bytes that the log has from its beginning, without a gap. */
export function endOf(chunks: readonly Chunk[]): number {
  let end = 0;
  for (const { offset, bytes } of chunks) {
    if (offset > end) break;
    end = Math.max(end, offset + bytes);
  }
  return end;
}
