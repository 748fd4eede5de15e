import { errorText } from '../../../format/error-text.ts';

/** An item of a bulk action. */
export interface BulkItem {
  /** Its name in the report. */
  readonly name: string;
  readonly href?: string;
}

/** The result of a bulk action. */
export interface BulkReport<Item extends BulkItem = BulkItem> {
  /** Past participle of the action, such as `stopped`. */
  readonly verb: string;
  readonly done: number;
  readonly failed: readonly { readonly item: Item; readonly reason: string }[];
}

/** Number of parallel requests; the engine has other clients. */
const atOnce = 4;

/** Applies an action to each item, regardless of failures of others. Never rejects. */
export async function runBulkAction<Item extends BulkItem>(
  verb: string,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<BulkReport<Item>> {
  const failed: { item: Item; reason: string }[] = [];
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      const current = item;
      await work(current).catch((error: unknown) => {
        failed.push({ item: current, reason: errorText(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const order = (item: Item): number => items.indexOf(item);
  failed.sort((left, right) => order(left.item) - order(right.item));
  return { verb, done: items.length - failed.length, failed };
}
