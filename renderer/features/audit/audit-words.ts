import type { OperationName } from '../../../core/contract/operations.ts';
import { describeWish } from '../../../core/contract/reference/describe-wish.ts';

/** What an entry of the trail is about: `Stop a run`; the name of an operation that there is no longer stays as it is. */
export function describeEntry(operation: string): string {
  const wish = describeWish(operation as OperationName);
  return wish === undefined ? operation : `${wish[0]!.toUpperCase()}${wish.slice(1)}`;
}
