import { useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '../../../core/contract/operation.ts';
import type { OperationName } from '../../../core/contract/operations.ts';
import { roleWords } from '../../format/role.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { useMe } from './session-queries.ts';

/** Whether somebody may do something. */
export interface Permission {
  readonly allowed: boolean;
  /** Why not, for the control that cannot be used. */
  readonly reason?: string;
}

const allowed: Permission = { allowed: true };

/** The role column of the table of operations, which the window of an admin has no use for. */
async function loadRoles(): Promise<Readonly<Record<OperationName, Role>>> {
  const { operations } = await import('../../../core/contract/operations.ts');
  return Object.fromEntries(
    Object.entries(operations).map(([name, { role }]) => [name, role]),
  ) as unknown as Readonly<Record<OperationName, Role>>;
}

/** Whether the role lets people do this. Until that is known they may try: the engine judges in any case. */
export function useMay(operation: OperationName): Permission {
  const { held, needed } = useRoles(operation);
  if (held === undefined || needed === undefined || includesRole(held, needed)) return allowed;
  return { allowed: false, reason: `This needs the role ${inText(needed)}; yours is ${inText(held)}.` };
}

/** Whether a way to a page is worth showing: only once it is known that the role lets people use what is there. */
export function useLeadsSomewhere(operation: OperationName): boolean {
  const { held, needed } = useRoles(operation);
  return held !== undefined && (held === 'admin' || (needed !== undefined && includesRole(held, needed)));
}

/** The role that somebody has, and the one that it takes; an admin needs to know of none. */
function useRoles(operation: OperationName): { held: Role | undefined; needed: Role | undefined } {
  const held = useMe().data?.role;
  const needed = useQuery({
    queryKey: queryKeys.neededRoles,
    queryFn: loadRoles,
    enabled: held !== undefined && held !== 'admin',
    staleTime: Infinity,
  }).data?.[operation];
  return { held, needed };
}

const inText = (role: Role): string => roleWords[role].toLowerCase();
