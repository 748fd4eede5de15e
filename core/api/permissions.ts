import { AppError } from '../base/errors.ts';
import { includesRole } from '../contract/operation.ts';
import type { OperationName, StreamName } from '../contract/operations.ts';
import type { Caller } from './engine-api.ts';
import type { OperationRule } from './operation-rules.ts';

/**
 * Returns why a caller may not call an operation or follow a stream; undefined if allowed. A caller without a role is
 * the local user.
 */
export function findPermissionError(
  name: OperationName | StreamName,
  rule: Pick<OperationRule, 'role' | 'public' | 'label'>,
  { role, ...caller }: Pick<Caller, 'role' | 'name'>,
): AppError | undefined {
  if (rule.public === true || role === undefined || includesRole(role, rule.role)) return undefined;
  return new AppError(
    'forbidden',
    `${caller.name} has the role ${role}, which does not allow this: ${rule.label ?? name}. ` +
      `Ask an admin for the role ${rule.role}.`,
    { details: { role, requiredRole: rule.role } },
  );
}
