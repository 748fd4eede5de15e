import type { Catalog, Relation } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';

/**
 * Returns the relation of a path.
 * @throws GatewayError PGRST205 with the closest known name
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
          ? hintForUnknownSchema(catalog, schema)
          : `Perhaps you meant the table '${schema}.${nearest}'`,
    },
  );
}

/** Returns a hint if there is no similar name. A schema without tables may be misspelled in the configuration. */
const hintForUnknownSchema = ({ relations }: Catalog, schema: string): string =>
  relations.some((relation) => relation.schema === schema)
    ? 'New tables are available after a reload of the schema cache.'
    : `The schema '${schema}' has no readable tables: create a table and reload the schema cache, or fix gateway.schemas.`;
