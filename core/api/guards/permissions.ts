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
 * The same operations for callers with a role: what is above it is refused with `forbidden`. A caller without one is
 * the machine's own user. The roles are those of the table, and are compared nowhere else.
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
 * Checks the role of a caller alone, for transports that read the rest of the input later. A refusal is noted.
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

/** Why a caller may not follow a stream; undefined when it may. */
export const findStreamRefusal = (name: StreamName, caller: Caller): AppError | undefined =>
  findRefusal(name, findEntry(streams, name), caller);

/** An unknown name has no entry; whoever checks the input says so. */
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
