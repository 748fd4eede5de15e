// A file of its own: the build replaces it with compiled schemas.
import { Build, type EvaluateResult } from 'typebox/schema';
import { closeInput, type Operation, type StreamOperation } from '../contract/operation.ts';
import { operations, streams } from '../contract/operations.ts';

/** What the API needs to know of an operation before it calls its handler. */
export interface OperationRule extends Pick<Operation, 'role' | 'public' | 'label' | 'audit'> {
  /** Whether an input is valid. Fields with the value undefined must be removed before. */
  accepts(input: object): boolean;
}

/**
 * The rules of every operation and stream. The build replaces this module with the compiled schemas
 * (scripts/build/compiled-schemas.ts), so that a command loads neither the table of operations nor the schema library.
 */
export const operationRules: Readonly<Record<string, OperationRule>> = {
  ...toRules(operations),
  ...toRules(streams),
};

function toRules(
  table: Readonly<Record<string, Operation | StreamOperation>>,
): Readonly<Record<string, OperationRule>> {
  return Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, toRule(entry)]));
}

function toRule({ input, ...entry }: Operation | StreamOperation): OperationRule {
  let compiled: EvaluateResult | undefined;
  return {
    ...entry,
    accepts(value) {
      compiled ??= Build(closeInput(input)).Evaluate();
      return compiled.Check(value);
    },
  };
}
