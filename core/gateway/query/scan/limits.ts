/** Limits of one request: far above practical use, and low enough to generate SQL. */
export const queryLimits = {
  /** Maximum length of the raw query string, in characters. */
  length: 262_144,
  /** Maximum number of parameters. */
  parameters: 1_000,
  /** Maximum nesting of resources in `select=` and filter names. */
  embedding: 20,
  /** Maximum number of resources in one `select=`. */
  resources: 100,
  /** Maximum nesting of `and=` and `or=` groups. */
  logic: 50,
  /** Maximum number of steps in a JSON path. */
  jsonSteps: 50,
  /** Maximum number of entries in `select=`, terms in one `order=`, and conditions in one group. */
  items: 1_000,
} as const;
