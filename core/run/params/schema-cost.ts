import { estimatePatternSize } from '../../base/text/pattern-size.ts';

/**
 * Keywords whose cost is not bounded by the size of a schema: references can form cycles, and equality checks are
 * quadratic.
 */
const unboundedKeywords: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'uniqueItems',
]);

/** Above this cost, compiling a schema takes long. */
const maxCost = 1_000;

/**
 * Returns an upper bound of the validation steps per character of the values: without references no part of a schema
 * visits a part of a value twice. Infinity when there is no bound, or the schema is large.
 */
export function estimateSchemaCost(schema: unknown): number {
  const open: unknown[] = [schema];
  let cost = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    cost += 1;
    if (cost > maxCost) return Infinity;
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) {
      open.push(...(node as unknown[]).slice(0, maxCost + 1));
      continue;
    }
    for (const [key, value] of Object.entries(node)) {
      if (unboundedKeywords.has(key)) return Infinity;
      cost += 1 + estimatePatternCost(key, value);
      open.push(value);
    }
  }
  return cost;
}

function estimatePatternCost(key: string, value: unknown): number {
  if (key === 'pattern' && typeof value === 'string') return estimatePatternSize(value);
  if (key !== 'patternProperties' || typeof value !== 'object' || value === null) return 0;
  return Object.keys(value).reduce((sum, pattern) => sum + estimatePatternSize(pattern), 0);
}
