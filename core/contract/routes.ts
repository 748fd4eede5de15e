import type { Operation } from './operation.ts';
import { operations, streams, type OperationName, type StreamName } from './operations.ts';

/** Route and required role of an operation, for clients. */
export type Route = Pick<Operation, 'method' | 'version' | 'path' | 'role'>;

/**
 * The route of every operation. The build replaces this module with the precomputed table
 * (scripts/build/bundle-plugins.ts), so that clients include neither the schemas nor the schema library.
 */
export const routes: Readonly<Record<OperationName, Route>> = operations;

/** The path of every stream, relative to `/api/v2`. */
export const streamRoutes: Readonly<Record<StreamName, { readonly path: string }>> = streams;
