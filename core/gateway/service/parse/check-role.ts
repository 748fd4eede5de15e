import type { Role } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';

/**
 * Checks that a token's role may run requests.
 * @param role of the database; undefined if it does not exist. PostgreSQL allows no role named `none`, which `SET
 * ROLE` takes as the role of the connection.
 * @throws GatewayError 22023 for an unknown role, 42501 for a privileged role that is not configured
 */
export function checkRole(name: string, role: Role | undefined, privilegedRoles: readonly string[]): void {
  if (role === undefined || name === 'none')
    throw new GatewayError(401, '22023', `role "${name}" does not exist`);
  const privilege = privilegeOf(role);
  if (privilege === undefined || privilegedRoles.includes(name)) return;
  throw new GatewayError(403, '42501', `permission denied to set role "${name}"`, {
    details: `Tokens cannot use ${privilege}.`,
    hint: 'Use another role in the token, or add this role to gateway.privilegedRoles (ENGINE_GATEWAY_PRIVILEGED_ROLES).',
  });
}

function privilegeOf({ name, isSuperuser, isReplication }: Role): string | undefined {
  if (isSuperuser) return 'a superuser';
  if (name.startsWith('pg_')) return 'a predefined PostgreSQL role';
  return isReplication ? 'a role with REPLICATION' : undefined;
}
