// A file of its own: the build replaces it with a precomputed table.
import type { Operation } from './operation.ts';
import { operations, streams, type OperationName, type StreamName } from './operations.ts';

/** Route and required role of an operation, for clients. */
export type Route = Pick<Operation, 'method' | 'version' | 'path' | 'role'>;

/**
 * The route of every operation. The build replaces this module with the precomputed table
 * (scripts/build/bundle-plugins.ts), so that clients include neither the schemas nor the schema library.
 */
export const routes: Readonly<Record<OperationName, Route>> = operations;

/** The label of every operation and stream that has one. */
export const operationLabels: Readonly<Partial<Record<OperationName | StreamName, string>>> = {
  ...listLabels(operations),
  ...listLabels(streams),
};

function listLabels(table: Readonly<Record<string, Pick<Operation, 'label'>>>): Record<string, string> {
  const labelled = Object.entries(table).filter(([, { label }]) => label !== undefined);
  return Object.fromEntries(labelled.map(([name, { label }]) => [name, label!]));
}

/** The path of every stream, relative to `/api/v2`. */
export const streamRoutes: Readonly<Record<StreamName, { readonly path: string }>> = streams;
