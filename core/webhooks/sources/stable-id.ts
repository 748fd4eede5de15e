/**
 * Returns a stable numeric id of a name: 31 bits of FNV-1a, never 0. Receivers compare ids, and store them in 32-bit
 * columns.
 */
export function stableId(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.toLowerCase()) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193);
  return hash & 0x7fffffff || 1;
}
