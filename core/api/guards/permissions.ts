import { AppError, toErrorBody } from '../../base/errors.ts';
import { includesRole, type Role } from '../../contract/operation.ts';
import { operations, streams, type OperationName, type StreamName } from '../../contract/operations.ts';
import { describeWish } from '../../contract/reference/describe-wish.ts';
import type { Caller, EngineApi } from '../engine-host.ts';

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
      const refusal = findStreamRefusal(name, caller);
      if (!refusal) return api.follow(name, input, observer, caller);
      observer.end(toErrorBody(refusal));
      return () => {};
    },
    ...(api.noteRefusal && { noteRefusal: api.noteRefusal }),
  };
}

/**
 * Checks only the role of a caller, for transports that read the rest of the input later. Records a rejection.
 * @throws AppError `forbidden`
 */
export function checkRole(
  api: Pick<EngineApi, 'noteRefusal'>,
  { name, input, caller }: { readonly name: OperationName; readonly input: unknown; readonly caller: Caller },
): void {
  const refusal = findRefusal(name, findEntry(operations, name), caller);
  if (refusal === undefined) return;
  api.noteRefusal?.(name, input, caller, refusal.code);
  throw refusal;
}

/** Returns why a caller may not follow a stream; undefined if allowed. */
export const findStreamRefusal = (name: StreamName, caller: Caller): AppError | undefined =>
  findRefusal(name, findEntry(streams, name), caller);

/** Returns undefined for an unknown name, which is reported when the input is validated. */
const findEntry = (table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function findRefusal(
  name: OperationName | StreamName,
  entry: Entry | undefined,
  { role, ...caller }: Caller,
): AppError | undefined {
  if (entry === undefined || entry.public === true || role === undefined) return undefined;
  if (includesRole(role, entry.role)) return undefined;
  return new AppError(
    'forbidden',
    `${caller.name} has the role ${role}, which does not allow this: ${describeWish(name) ?? name}. ` +
      `Ask an admin for the role ${entry.role}.`,
    { details: { role, requiredRole: entry.role } },
  );
}
