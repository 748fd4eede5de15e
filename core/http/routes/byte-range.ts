/** Bytes from `from` (inclusive) to `to` (exclusive). */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.2): `bytes=100-`, `bytes=0-99`, `bytes=-50`. Undefined for the whole content,
 * which is the correct response to several or invalid ranges; `beyond` if the range starts after the end.
 */
export function readByteRange(field: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(field ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  return from < to ? { from, to } : 'beyond';
}
