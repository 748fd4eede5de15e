import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Limit, Cursor, NextCursor } from '../paging.ts';

/** Maximum length of a search string. */
export const maxQueryLength = 200;

/** Lines of a workflow file around a match. */
export const SearchMatchView = Type.Object({
  lineNumber: Type.Integer({ description: 'Line number of the match, from 1' }),
  startLine: Type.Integer({ description: 'Line number of the first of `lines`, from 1' }),
  lines: Type.Array(Type.String(), {
    description:
      'Matching line with up to two lines of context on each side. Long lines are truncated with `…`.',
  }),
});
export type SearchMatchView = Static<typeof SearchMatchView>;

export const dagSearchOperations = {
  'dags.search': defineOperation({
    summary: 'Search the source of workflow files',
    method: 'GET',
    path: '/dags/search',
    input: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: maxQueryLength,
        description: 'Text to find (case-insensitive)',
      }),
      regex: Type.Optional(
        Type.Boolean({
          description:
            'Treat `q` as a regular expression (RE2 syntax, without backreferences and lookaround)',
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
          matches: Type.Array(SearchMatchView, { description: 'First 20 matches' }),
          more: Type.Boolean({ description: 'Whether the file has more matches' }),
        }),
      ),
      nextCursor: NextCursor,
    }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
  'dags.tags': defineOperation({
    summary: 'List the tags of all workflows, sorted by name',
    method: 'GET',
    path: '/dags/tags',
    input: Type.Object({}),
    output: Type.Object({ tags: Type.Array(Type.String()) }),
    errors: ['home_unusable'],
    role: 'viewer',
  }),
};
