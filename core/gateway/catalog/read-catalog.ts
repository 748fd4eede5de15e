import type { Clock } from '../../base/clock.ts';
import type { GatewayDatabase } from '../../store/sql/database.ts';
import type { Catalog, Role, Conversion, Representation } from './catalog.ts';
import {
  type ColumnRow,
  columnRowsSql,
  type DefaultRow,
  defaultRowsSql,
  collectExposedRelations,
  type ForeignKeyRow,
  foreignKeyRowsSql,
  type KeyRow,
  keyRowsSql,
  makeRelations,
  type RelationRow,
  relationRowsSql,
} from './relations.ts';
import {
  makeJunctions,
  makeRelationships,
  traceViewColumns,
  type ViewRow,
  viewRowsSql,
} from './relationships.ts';
import {
  asJson,
  readRows,
  collectRoleSettings,
  type RoleRow,
  rolesSql,
  roleSettingRowsSql,
  collectTypes,
  type TypeRow,
  typeRowsSql,
} from './catalog-queries.ts';
import {
  makeRoutine,
  type RoutineRow,
  routineRowsSql,
  collectComputedColumns,
  makeComputedRelationships,
  overrideRelationships,
  type RowFunctionRow,
  rowFunctionRowsSql,
} from './routines.ts';
import { getKey, StoredCatalog } from './stored-catalog.ts';

/** Schemas of a catalog. */
export interface CatalogScope {
  /** Exposed schemas; the first is the default profile. */
  readonly schemas: readonly string[];
  /** Additional schemas with functions for computed columns and types for casts. */
  readonly extraSearchPath: readonly string[];
  readonly clock: Clock;
}

/** Query results, in the order of {@link statementsFor}. */
type CatalogRows = readonly [
  { readonly version: string }[],
  RelationRow[],
  ColumnRow[],
  DefaultRow[],
  KeyRow[],
  ForeignKeyRow[],
  RepresentationRow[],
  ViewRow[],
  RoutineRow[],
  RowFunctionRow[],
  TypeRow[],
  Role[],
  RoleRow[],
];

/**
 * Reads the catalog of a database in one snapshot.
 * @throws DatabaseError, DatabaseUnavailable as the database does
 */
export async function readCatalog(database: GatewayDatabase, scope: CatalogScope): Promise<Catalog> {
  const rows = await readRows(database, statementsFor(scope));
  return makeCatalog(rows as unknown as CatalogRows, scope);
}

const getSearchPath = ({ schemas, extraSearchPath }: CatalogScope): string[] => [
  ...schemas,
  ...extraSearchPath,
];

const statementsFor = (scope: CatalogScope) => [
  asJson(`select current_setting('server_version') as "version"`, []),
  ...[
    relationRowsSql,
    columnRowsSql,
    defaultRowsSql,
    keyRowsSql,
    foreignKeyRowsSql,
    representationRowsSql,
    viewRowsSql,
    routineRowsSql,
  ].map((sql) => asJson(sql, scope.schemas)),
  asJson(rowFunctionRowsSql, getSearchPath(scope)),
  asJson(typeRowsSql, getSearchPath(scope)),
  asJson(rolesSql, []),
  asJson(roleSettingRowsSql, []),
];

function makeCatalog(results: CatalogRows, scope: CatalogScope): Catalog {
  const [
    versions,
    relationRows,
    columns,
    defaults,
    keys,
    foreignKeys,
    conversions,
    viewRows,
    ...functionResults
  ] = results;
  const [routines, rowFunctions, types, roles, roleSettings] = functionResults;
  const representations = collectRepresentations(conversions);
  const views = traceViewColumns(viewRows);
  const relations = makeRelations({
    relations: relationRows,
    columns,
    defaults,
    keys,
    representations,
    views,
  });
  const direct = makeRelationships(foreignKeys, keys, collectExposedRelations(relationRows, columns, views));
  const junctions = makeJunctions(
    direct.filter(({ isOwned }) => isOwned),
    relations,
  );
  const exposed = new Set(relations.map(getKey));
  return new StoredCatalog({
    schemas: scope.schemas,
    serverVersion: versions[0]?.version.split(' ')[0] ?? '',
    readAt: scope.clock.now(),
    relations,
    representations: [...representations.values()],
    relationships: overrideRelationships(
      [...direct, ...junctions],
      makeComputedRelationships(rowFunctions, relations),
    ),
    routines: routines.map((row) => makeRoutine(row, exposed, representations)),
    computedColumns: collectComputedColumns(rowFunctions, getSearchPath(scope), representations),
    types: collectTypes(types, getSearchPath(scope)),
    roles,
    roleSettings: collectRoleSettings(roleSettings),
  });
}

/** An implicit cast of a domain by a function. */
interface RepresentationRow extends Conversion {
  readonly type: number;
  readonly schema: string;
  readonly name: string;
  readonly use: 'response' | 'filter' | 'body';
}

/**
 * Implicit casts by function between a domain and text or json, in any schema. Assignment casts, I/O casts, casts
 * without a function and jsonb do not define a presentation. The connecting role must be allowed to call the function.
 * The function may take a type that the source can be coerced to, which needs a cast. A function with further required
 * arguments, such as a type modifier, is excluded.
 */
const representationRowsSql = `
select d.oid::int8 as "type", n.nspname as "schema", d.typname as "name",
  case when d.oid = k.castsource then 'response' when k.castsource = 'text'::regtype then 'filter'
    else 'body' end as "use",
  format('%I.%I', pn.nspname, p.proname) as "functionSql",
  format_type(p.proargtypes[0], -1) as "argumentTypeSql",
  case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as "volatility"
from pg_cast k
  join pg_type d on d.typtype = 'd' and (
    d.oid = k.castsource and k.casttarget = 'json'::regtype
    or d.oid = k.casttarget and k.castsource in ('json'::regtype, 'text'::regtype))
  join pg_namespace n on n.oid = d.typnamespace
  join pg_proc p on p.oid = k.castfunc join pg_namespace pn on pn.oid = p.pronamespace
where k.castcontext = 'i' and k.castmethod = 'f' and p.pronargs - p.pronargdefaults <= 1
  and has_function_privilege(p.oid, 'execute')
order by n.nspname, d.typname, "use"`;

/** Groups the conversions by type number of the domain. */
function collectRepresentations(rows: readonly RepresentationRow[]): Map<number, Representation> {
  const found = new Map<number, Representation>();
  for (const { type, schema, name, use, functionSql, argumentTypeSql, volatility } of rows) {
    const known = found.get(type) ?? { domain: { schema, name } };
    found.set(type, { ...known, [use]: { functionSql, argumentTypeSql, volatility } });
  }
  return found;
}
