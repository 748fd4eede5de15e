/** What tells tables of all schemas apart, and an address has. */
export const keyOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;
