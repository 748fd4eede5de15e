/**
 * Parses a claim path such as `.resource_access.api.roles[0]` or `."https://example.com/role"` into keys and indexes.
 * Undefined if invalid.
 */
export function parseClaimPath(text: string): readonly (string | number)[] | undefined {
  const step = /\.([\p{L}\p{N}_@$-]+)|\."((?:[^"\\]|\\.)*)"|\[(\d{1,9})\]/uy;
  const path: (string | number)[] = [];
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (match === null) return undefined;
    const [, bare, quoted, index] = match;
    path.push(bare ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? Number(index));
  }
  return path.length > 0 ? path : undefined;
}

/** Returns the value at a path; undefined if missing. */
export function followClaimPath(claims: unknown, path: readonly (string | number)[]): unknown {
  let value = claims;
  for (const step of path) {
    const fits = typeof step === 'number' ? Array.isArray(value) : isRecord(value);
    if (!fits || !Object.hasOwn(value as object, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
