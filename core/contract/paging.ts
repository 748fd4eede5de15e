import Type from 'typebox';

/** Entries of one page. */
export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries of a page, at most; 50 when absent' }),
);

/** Where a page begins. */
export const Cursor = Type.Optional(
  Type.String({ maxLength: 1000, description: '`nextCursor` of the page before; none for the first page' }),
);

/** Where the next page begins. */
export const NextCursor = Type.Optional(
  Type.String({ description: 'Send it as `cursor` for the next page; absent on the last one' }),
);
