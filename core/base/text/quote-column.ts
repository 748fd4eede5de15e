/** Parameters of the gateway that are no filters. */
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

/** A column as a filter of the gateway names it: dots, arrows and such words mean something else unless quoted. */
export const quoteColumn = (name: string): string =>
  /^[\w$]+$/.test(name) && !words.has(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
