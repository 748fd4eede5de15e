/** Parameters of the gateway that are not filters. */
const words: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
]);

/** Quotes a column for a filter of the gateway: dots, arrows and reserved words have another meaning unless quoted. */
export const quoteIdentifier = (name: string): string =>
  /^[\w$]+$/.test(name) && !words.has(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
