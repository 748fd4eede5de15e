/** Bytes `from` to before `to`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the field `Range` (RFC 9110, 14.2): `bytes=100-`, `bytes=0-99`, `bytes=-50`. Undefined when all of it is to be
 * sent, which is right for several ranges and for what is none; `beyond` when it lies behind the end.
 */
export function readByteRange(field: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(field ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined;
  return from < to ? { from, to } : 'beyond';
}
