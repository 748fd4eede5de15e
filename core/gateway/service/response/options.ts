import type { Catalog } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';
import { findRelation } from '../prepare/find-relation.ts';
import type { GatewayResponse } from '../request.ts';
import { methodsOfRelation, methodsOfRoot, methodsOfRoutine, type Target } from '../parse/target.ts';

/**
 * Handles `OPTIONS`: returns the allowed methods.
 * @throws GatewayError PGRST205 or PGRST202 for an unknown object
 */
export function respondToOptions(
  target: Target,
  place: { readonly catalog: Catalog; readonly schema: string },
): GatewayResponse {
  return { status: 200, headers: { allow: methodsOf(target, place).join(',') }, body: null };
}

function methodsOf(
  target: Target,
  place: { readonly catalog: Catalog; readonly schema: string },
): readonly string[] {
  if (target.kind === 'root') return methodsOfRoot;
  if (target.kind === 'relation') return methodsOfRelation(findRelation(place, target.name));
  const { catalog, schema } = place;
  const routines = catalog.findRoutines(schema, target.name);
  if (routines.length > 0) return methodsOfRoutine(routines);
  const nearest = catalog.nearestRoutine(schema, target.name);
  throw new GatewayError(
    404,
    'PGRST202',
    `Could not find the function ${schema}.${target.name} in the schema cache`,
    { hint: nearest === undefined ? null : `Perhaps you meant to call the function ${schema}.${nearest}` },
  );
}
