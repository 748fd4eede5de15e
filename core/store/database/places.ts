/** The places for values in `IN (…)`; of none, what nothing is equal to: PostgreSQL takes no empty list. */
export const placesFor = (values: readonly unknown[]): string =>
  values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
