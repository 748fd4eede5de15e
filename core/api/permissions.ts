import { AppError, toErrorBody } from '../base/errors.ts';
import { includesRole, type Role } from '../contract/operation.ts';
import { operations, streams, type OperationName, type StreamName } from '../contract/operations.ts';
import { operationLabel } from '../contract/operation-labels.ts';
import type { Caller, EngineApi } from './engine-host.ts';

interface Entry {
  readonly summary: string;
  readonly role: Role;
  readonly public?: true;
}

/**
 * Wraps an API to check roles: an operation above the caller's role is rejected with `forbidden`. A caller without a
 * role is the local user. Roles come from the table of operations and are only compared here.
 */
export function checkPermissions(api: EngineApi): EngineApi {
  return {
    async call(name, input, caller) {
      checkRole(api, { name, input, caller });
      return api.call(name, input, caller);
    },
    follow(name, input, observer, caller) {
      const error = findStreamPermissionError(name, caller);
      if (!error) return api.follow(name, input, observer, caller);
      observer.end(toErrorBody(error));
      return () => {};
    },
    ...(api.recordRejection && { recordRejection: api.recordRejection }),
  };
}

/**
 * Checks only the role of a caller, for transports that read the rest of the input later. Records a rejection.
 * @throws AppError `forbidden`
 */
export function checkRole(
  api: Pick<EngineApi, 'recordRejection'>,
  { name, input, caller }: { readonly name: OperationName; readonly input: unknown; readonly caller: Caller },
): void {
  const error = findPermissionError(name, findEntry(operations, name), caller);
  if (error === undefined) return;
  api.recordRejection?.(name, input, caller, error.code);
  throw error;
}

/** Returns why a caller may not follow a stream; undefined if allowed. */
export const findStreamPermissionError = (name: StreamName, caller: Caller): AppError | undefined =>
  findPermissionError(name, findEntry(streams, name), caller);

/** Returns undefined for an unknown name, which is reported when the input is validated. */
const findEntry = (table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function findPermissionError(
  name: OperationName | StreamName,
  entry: Entry | undefined,
  { role, ...caller }: Caller,
): AppError | undefined {
  if (entry === undefined || entry.public === true || role === undefined) return undefined;
  if (includesRole(role, entry.role)) return undefined;
  return new AppError(
    'forbidden',
    `${caller.name} has the role ${role}, which does not allow this: ${operationLabel(name) ?? name}. ` +
      `Ask an admin for the role ${entry.role}.`,
    { details: { role, requiredRole: entry.role } },
  );
}
