import type { Clock } from '../../base/clock.ts';
import type { GatewayDatabase } from '../database/database.ts';
import type { Catalog, Role } from './catalog.ts';
import { type ColumnRow, columnRowsSql, type DefaultRow, defaultRowsSql } from './read/column-rows.ts';
import { collectExposedRelations } from './read/exposed-relations.ts';
import { type ForeignKeyRow, foreignKeyRowsSql, type KeyRow, keyRowsSql } from './read/key-rows.ts';
import { makeRelations } from './read/make-relations.ts';
import { makeJunctions, makeRelationships } from './read/make-relationships.ts';
import { asJson, readRows } from './read/read-rows.ts';
import { type RelationRow, relationRowsSql } from './read/relation-rows.ts';
import {
  collectRepresentations,
  type RepresentationRow,
  representationRowsSql,
} from './read/representation-rows.ts';
import { collectRoleSettings, type RoleRow, rolesSql, roleSettingRowsSql } from './read/role-rows.ts';
import { makeRoutine, type RoutineRow, routineRowsSql } from './read/routine-rows.ts';
import {
  collectComputedColumns,
  makeComputedRelationships,
  overrideRelationships,
  type RowFunctionRow,
  rowFunctionRowsSql,
} from './read/row-function-rows.ts';
import { collectTypes, type TypeRow, typeRowsSql } from './read/type-rows.ts';
import { traceViewColumns, type ViewRow, viewRowsSql } from './read/view-columns.ts';
import { keyOf, StoredCatalog } from './stored-catalog.ts';

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

const searchPathOf = ({ schemas, extraSearchPath }: CatalogScope): string[] => [
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
  asJson(rowFunctionRowsSql, searchPathOf(scope)),
  asJson(typeRowsSql, searchPathOf(scope)),
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
    ...ofFunctions
  ] = results;
  const [routines, rowFunctions, types, roles, roleSettings] = ofFunctions;
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
  const exposed = new Set(relations.map(keyOf));
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
    computedColumns: collectComputedColumns(rowFunctions, searchPathOf(scope), representations),
    types: collectTypes(types, searchPathOf(scope)),
    roles,
    roleSettings: collectRoleSettings(roleSettings),
  });
}
