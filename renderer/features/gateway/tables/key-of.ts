/** Returns the key of a table across all schemas, which is also used in the address. */
export const keyOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;
