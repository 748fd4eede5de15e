import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Limit, Cursor, NextCursor } from '../paging.ts';

/** Longest text to search for. */
export const longestQuery = 200;

/** Lines of a workflow file around one that was found. */
export const SearchMatchView = Type.Object({
  lineNumber: Type.Integer({ description: 'Of the line that was found, from 1' }),
  startLine: Type.Integer({ description: 'Of the first of `lines`, from 1' }),
  lines: Type.Array(Type.String(), {
    description: 'The line with up to two before and after it; a long line is cut and ends with `…`',
  }),
});
export type SearchMatchView = Static<typeof SearchMatchView>;

export const dagSearchOperations = {
  'dags.search': defineOperation({
    summary: 'Finds workflow files by their text',
    method: 'GET',
    path: '/dags/search',
    input: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: longestQuery,
        description: 'What a line has to hold; upper and lower case do not count',
      }),
      regex: Type.Optional(
        Type.Boolean({
          description:
            'Take `q` as a regular expression in RE2 syntax, without backreferences and look-around',
        }),
      ),
      limit: Limit,
      cursor: Cursor,
    }),
    output: Type.Object({
      results: Type.Array(
        Type.Object({
          fileName: Type.String(),
          name: Type.String(),
          matches: Type.Array(SearchMatchView, { description: 'The first twenty' }),
          more: Type.Boolean({ description: 'Whether the file has further ones' }),
        }),
      ),
      nextCursor: NextCursor,
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'dags.tags': defineOperation({
    summary: 'Lists the tags that workflows have, by name',
    method: 'GET',
    path: '/dags/tags',
    input: Type.Object({}),
    output: Type.Object({ tags: Type.Array(Type.String()) }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
