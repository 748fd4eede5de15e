import path from 'node:path';
import type { OperationOutput } from '../../../contract/operations.ts';
import { createFinder } from '../../../library/search/find-lines.ts';
import { parseTextCursor, toTextCursor } from '../cursor.ts';
import { nameOf } from './dag-list.ts';
import type { HandlersFor } from '../handlers.ts';

const defaultPageSize = 50;

/** Operations that search all workflow files. */
export const dagSearchHandlers: HandlersFor<'dags.search' | 'dags.tags'> = {
  'dags.search': async ({ q, regex = false, limit = defaultPageSize, cursor }, { library, clock }) => {
    const find = createFinder(q, regex, clock);
    const [after] = parseTextCursor(cursor, 1) ?? [];
    const entries = library.list().filter(({ file }) => after === undefined || path.basename(file) > after);
    const results: OperationOutput<'dags.search'>['results'] = [];
    for (const [index, entry] of entries.entries()) {
      const { matches, more } = await find(entry.spec.text);
      if (matches.length > 0) results.push({ fileName: entry.fileName, name: nameOf(entry), matches, more });
      const isLast = index === entries.length - 1;
      if (results.length === limit)
        return isLast ? { results } : { results, nextCursor: toTextCursor([path.basename(entry.file)]) };
      // Let other tasks run between two files.
      await new Promise<void>((resolve) => clock.soon(resolve));
    }
    return { results };
  },
  'dags.tags': (_input, { library }) => {
    const tags = library.list().flatMap(({ spec }) => spec.workflows[0]?.tags ?? []);
    return { tags: [...new Set(tags)].toSorted() };
  },
};
