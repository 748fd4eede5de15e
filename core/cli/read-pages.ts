/** A page of a list. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string | undefined;
}

/** Page size; the maximum of the API. */
const maxPageSize = 1000;

/**
 * Reads all entries of a paginated list, up to a limit.
 * @param read requests a page
 */
export async function readPages<Entry>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Entry>>,
  max = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(maxPageSize, max - all.length);
    const page = await read(cursor === undefined ? { limit } : { limit, cursor });
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && all.length < max);
  return all;
}
