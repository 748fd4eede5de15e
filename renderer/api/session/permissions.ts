import { useQuery } from '@tanstack/react-query';
import { includesRole, type Role } from '../../../core/contract/operation.ts';
import type { OperationName } from '../../../core/contract/operations.ts';
import { roleWords } from '../../format/role.ts';
import { queryKeys } from '../query-keys.ts';
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
  const held = useMe().data?.role;
  const needed = useQuery({
    queryKey: queryKeys.neededRoles,
    queryFn: loadRoles,
    enabled: held !== undefined && held !== 'admin',
    staleTime: Infinity,
  }).data?.[operation];
  if (held === undefined || needed === undefined || includesRole(held, needed)) return allowed;
  return { allowed: false, reason: `This needs the role ${inText(needed)}; yours is ${inText(held)}.` };
}

const inText = (role: Role): string => roleWords[role].toLowerCase();
