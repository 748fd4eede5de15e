import { refusalText } from '../../../format/refusal-text.ts';

/** One of several things that something is done with. */
export interface BulkItem {
  /** As the report names it. */
  readonly name: string;
  readonly href?: string;
}

/** What came of doing something with several things. */
export interface BulkReport<Item extends BulkItem = BulkItem> {
  /** What was done, as in `stopped`. */
  readonly verb: string;
  readonly done: number;
  readonly refused: readonly { readonly item: Item; readonly reason: string }[];
}

/** So many at a time: the engine has other callers. */
const atOnce = 4;

/** Does one thing with each of several items, whatever becomes of the others. Never rejects. */
export async function workThrough<Item extends BulkItem>(
  verb: string,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<BulkReport<Item>> {
  const refused: { item: Item; reason: string }[] = [];
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      const current = item;
      await work(current).catch((thrown: unknown) => {
        refused.push({ item: current, reason: refusalText(thrown) });
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const order = (item: Item): number => items.indexOf(item);
  refused.sort((left, right) => order(left.item) - order(right.item));
  return { verb, done: items.length - refused.length, refused };
}
