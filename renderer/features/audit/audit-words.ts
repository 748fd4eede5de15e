import type { OperationName } from '../../../core/contract/operations.ts';
import { operationLabel } from '../../../core/contract/reference/operation-labels.ts';

/** Describes an audit entry: `Stop a run`. The name of a removed operation is returned unchanged. */
export function describeEntry(operation: string): string {
  const options = operationLabel(operation as OperationName);
  return options === undefined ? operation : `${options[0]!.toUpperCase()}${options.slice(1)}`;
}
