import { includesRole, type Role } from '../../../core/contract/operation.ts';
import type { OperationName } from '../../../core/contract/operations.ts';
import { routes } from '../../../core/contract/routes.ts';
import { roleLabels } from '../../format/role.ts';
import { useMe } from './session-queries.ts';

/** Whether the user may perform an operation. */
export interface Permission {
  readonly allowed: boolean;
  /** The reason, for the unavailable control. */
  readonly reason?: string;
}

const allowed: Permission = { allowed: true };

/**
 * Whether the user's role allows an operation. Until that is known it is allowed; the engine checks in any
 * case.
 */
export function useCan(operation: OperationName): Permission {
  const { held, needed } = useRoles(operation);
  if (held === undefined || includesRole(held, needed)) return allowed;
  return { allowed: false, reason: `Requires the role ${inText(needed)}. Your role is ${inText(held)}.` };
}

/** Whether to show a link to a page: only once it is known that the user's role allows using it. */
export function useCanNavigate(operation: OperationName): boolean {
  const { held, needed } = useRoles(operation);
  return held !== undefined && includesRole(held, needed);
}

/** Returns the user's role, if known, and the required one. */
function useRoles(operation: OperationName): { held: Role | undefined; needed: Role } {
  return { held: useMe().data?.role, needed: routes[operation].role };
}

const inText = (role: Role): string => roleLabels[role].toLowerCase();
