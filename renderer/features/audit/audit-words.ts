import type { OperationName } from '../../../core/contract/operations.ts';
import { describeWish } from '../../../core/contract/reference/describe-wish.ts';

/** Describes an audit entry: `Stop a run`. The name of a removed operation is returned unchanged. */
export function describeEntry(operation: string): string {
  const wish = describeWish(operation as OperationName);
  return wish === undefined ? operation : `${wish[0]!.toUpperCase()}${wish.slice(1)}`;
}
