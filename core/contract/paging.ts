// A file of its own: commands load operation.ts without the schema library.
import Type from 'typebox';

/** Number of entries of one page. */
export const Limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'Maximum per page. Default: 50.',
  }),
);

/** Start of a page. */
export const Cursor = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: '`nextCursor` of the previous page',
  }),
);

/** Start of the next page. */
export const NextCursor = Type.Optional(
  Type.String({ description: '`cursor` of the next page. Missing on the last page.' }),
);
