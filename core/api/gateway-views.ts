import { toIso } from '../base/clock.ts';
import type {
  GatewayCatalogView,
  GatewayColumnView,
  GatewayDomainView,
  GatewayFunctionView,
  GatewayTableView,
} from '../contract/gateway.ts';
import type { Catalog, Column, QualifiedName, Relation, Routine } from '../gateway/catalog/catalog.ts';

/** Converts a catalog to its view. */
export const viewCatalog = (catalog: Catalog): GatewayCatalogView => ({
  schemas: [...catalog.schemas],
  readAt: toIso(catalog.readAt),
  version: catalog.serverVersion,
  tables: catalog.relations.map((relation) => viewTable(relation, catalog)),
  functions: catalog.routines.map(viewFunction),
  domains: viewDomains(catalog),
});

function viewTable(relation: Relation, catalog: Catalog): GatewayTableView {
  const { schema, name, kind, comment, isInsertable, isUpdatable, isDeletable } = relation;
  const related = catalog
    .relationshipsFrom(relation)
    .map(({ to, constraint, computedBy }) => (computedBy === undefined ? to.name : constraint));
  return {
    schema,
    name,
    kind,
    ...(comment !== null && { comment }),
    isInsertable,
    isUpdatable,
    isDeletable,
    columns: relation.columns.map((column) => viewColumn(column, relation.primaryKey)),
    related: [...new Set(related)],
  };
}

function viewColumn(column: Column, primaryKey: readonly string[]): GatewayColumnView {
  const { name, typeSql, baseTypeSql, isNullable, isGenerated, defaultSql, comment, representation } = column;
  return {
    name,
    type: typeSql,
    baseType: baseTypeSql,
    isNullable,
    isGenerated,
    isKey: primaryKey.includes(name),
    ...(defaultSql !== null && { default: defaultSql }),
    ...(comment !== null && { comment }),
    ...(representation !== undefined && { domain: textOf(representation.domain) }),
  };
}

const viewFunction = (routine: Routine): GatewayFunctionView => ({
  schema: routine.schema,
  name: routine.name,
  ...(routine.comment !== null && { comment: routine.comment }),
  parameters: routine.parameters.map(({ name, typeSql, isRequired }) => ({
    name,
    type: typeSql,
    isRequired,
  })),
  result: `${routine.isSet ? 'SETOF ' : ''}${routine.resultTypeSql}`,
  isReadOnly: routine.volatility !== 'volatile',
});

function viewDomains({ representations, relations }: Catalog): GatewayDomainView[] {
  return representations.map((representation) => {
    const { domain, response, filter, body } = representation;
    const columns = relations.flatMap(({ schema, name, columns: all }) =>
      all
        .filter((column) => column.representation === representation)
        .map((column) => ({ table: { schema, name }, column: column.name })),
    );
    return {
      schema: domain.schema,
      name: domain.name,
      ...(response !== undefined && { response: response.functionSql }),
      ...(filter !== undefined && { filter: filter.functionSql }),
      ...(body !== undefined && { body: body.functionSql }),
      columns,
    };
  });
}

const textOf = ({ schema, name }: QualifiedName): string => `${schema}.${name}`;
