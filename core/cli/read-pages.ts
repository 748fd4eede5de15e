/** One page of a list, as operations give it. */
interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor?: string | undefined;
}

/** Entries asked for at once; the most that operations give. */
const longestPage = 1000;

/**
 * All entries of a list that comes in pages, up to a number of them.
 * @param read asks for one page
 */
export async function readPages<Entry>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Entry>>,
  most = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(longestPage, most - all.length);
    const page = await read(cursor === undefined ? { limit } : { limit, cursor });
    all.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== undefined && all.length < most);
  return all;
}
