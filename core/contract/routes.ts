import type { Operation } from './operation.ts';
import { operations, streams, type OperationName, type StreamName } from './operations.ts';

/** What a client needs to know of an operation: where it is, and who may call it. */
export type Route = Pick<Operation, 'method' | 'version' | 'path' | 'role'>;

/**
 * Where every operation is. The build puts the finished table in the place of this module (scripts/build/route-table.ts),
 * so that clients carry neither the shapes of inputs and outputs nor the library they are made with.
 */
export const routes: Readonly<Record<OperationName, Route>> = operations;

/** The path of every stream, below `/api/v2`. */
export const streamRoutes: Readonly<Record<StreamName, { readonly path: string }>> = streams;
