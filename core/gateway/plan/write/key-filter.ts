import type { Relation } from '../../catalog/catalog.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { Condition, Query } from '../../query/query.ts';

/**
 * Returns the filters of a PUT.
 * @throws GatewayError PGRST105 unless each primary key column is filtered once by `eq`, and nothing else
 */
export function keyConditions(relation: Relation, query: Query): readonly Condition[] {
  const { conditions } = query.root;
  const named = conditions.map(keyOf);
  const isKey =
    relation.primaryKey.length > 0 &&
    named.length === relation.primaryKey.length &&
    relation.primaryKey.every((column) => named.includes(column));
  if (isKey) return conditions;
  const filters = relation.primaryKey.map((column) => `${column}=eq.…`).join('&');
  throw new GatewayError(
    405,
    'PGRST105',
    "Filters must include all and only primary key columns with 'eq' operators",
    {
      hint:
        relation.primaryKey.length === 0
          ? `'${relation.name}' has no primary key, so PUT is not supported.`
          : `Use ?${filters}`,
    },
  );
}

function keyOf(condition: Condition): string | undefined {
  if (condition.kind !== 'test' || condition.isNegated || condition.field.json.length > 0) return undefined;
  const { test, field } = condition;
  return test.operator === 'eq' && !('quantifier' in test) ? field.column : undefined;
}
