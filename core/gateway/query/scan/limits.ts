/** What one request may ask at most. Far above what people write, and low enough for a query of SQL to be made of it. */
export const queryLimits = {
  /** Characters of the query string as it came. */
  length: 262_144,
  /** Parameters of it. */
  parameters: 1_000,
  /** Resources within resources in `select=`, and in the names of filters. */
  embedding: 20,
  /** Resources of one `select=`. */
  resources: 100,
  /** Groups within groups of `and=` and `or=`. */
  logic: 50,
  /** Steps of one JSON path. */
  jsonSteps: 50,
  /** Columns and resources of `select=`, terms of one `order=`, conditions of one group. */
  items: 1_000,
} as const;
