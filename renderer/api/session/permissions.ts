import { includesRole, type Role } from '../../../core/contract/operation.ts';
import type { OperationName } from '../../../core/contract/operations.ts';
import { routes } from '../../../core/contract/routes.ts';
import { roleWords } from '../../format/role.ts';
import { useMe } from './session-queries.ts';

/** Whether somebody may do something. */
export interface Permission {
  readonly allowed: boolean;
  /** Why not, for the control that cannot be used. */
  readonly reason?: string;
}

const allowed: Permission = { allowed: true };

/** Whether the role lets people do this. Until that is known they may try: the engine judges in any case. */
export function useMay(operation: OperationName): Permission {
  const { held, needed } = useRoles(operation);
  if (held === undefined || includesRole(held, needed)) return allowed;
  return { allowed: false, reason: `Requires the role ${inText(needed)}. Your role is ${inText(held)}.` };
}

/** Whether a way to a page is worth showing: only once it is known that the role lets people use what is there. */
export function useLeadsSomewhere(operation: OperationName): boolean {
  const { held, needed } = useRoles(operation);
  return held !== undefined && includesRole(held, needed);
}

/** The role that somebody has, once it is known, and the one that it takes. */
function useRoles(operation: OperationName): { held: Role | undefined; needed: Role } {
  return { held: useMe().data?.role, needed: routes[operation].role };
}

const inText = (role: Role): string => roleWords[role].toLowerCase();
