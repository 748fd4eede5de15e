import type { Catalog, Relation } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';

/**
 * The relation of an address.
 * @throws GatewayError PGRST205, with the nearest name that there is
 */
export function findRelation(
  { catalog, schema }: { readonly catalog: Catalog; readonly schema: string },
  name: string,
): Relation {
  const relation = catalog.findRelation(schema, name);
  if (relation) return relation;
  const nearest = catalog.nearestRelation(schema, name);
  throw new GatewayError(
    404,
    'PGRST205',
    `Could not find the table '${schema}.${name}' in the schema cache`,
    {
      hint:
        nearest === undefined
          ? 'A table that was just created is known after a reload of the schema cache.'
          : `Perhaps you meant the table '${schema}.${nearest}'`,
    },
  );
}
