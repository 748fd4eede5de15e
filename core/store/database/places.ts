/** Returns the placeholders for values in `IN (…)`; for an empty list, NULL, because PostgreSQL rejects empty lists. */
export const placeholdersFor = (values: readonly unknown[]): string =>
  values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
