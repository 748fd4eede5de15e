/**
 * A number for a name that has none, the same for ever: 31 bits of FNV-1a, never 0. Receivers compare ids, and keep
 * them in columns of 32 bits.
 */
export function stableId(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash & 0x7fffffff || 1;
}
