import type { Clock } from '../../base/clock.ts';
import type { GatewayDatabase } from '../database/database.ts';
import type { Catalog } from './catalog.ts';
import { type ColumnRow, columnRowsSql, type DefaultRow, defaultRowsSql } from './read/column-rows.ts';
import { type KeyRow, keyRowsSql } from './read/key-rows.ts';
import { makeRelations } from './read/make-relations.ts';
import { asJson, readRows } from './read/read-rows.ts';
import { type RelationRow, relationRowsSql } from './read/relation-rows.ts';
import {
  collectRepresentations,
  type RepresentationRow,
  representationRowsSql,
} from './read/representation-rows.ts';
import { traceViewColumns, type ViewRow, viewRowsSql } from './read/view-columns.ts';
import { StoredCatalog } from './stored-catalog.ts';

/** Of which schemas a catalog is read. */
export interface CatalogScope {
  /** Exposed ones; the first is the default profile. */
  readonly schemas: readonly string[];
  /** Schemas beside them whose functions make computed columns, and whose types may be cast to. */
  readonly extraSearchPath: readonly string[];
  readonly clock: Clock;
}

const versionSql = `select current_setting('server_version') as "version"`;

/**
 * Reads all that the gateway knows of a database, at one moment of it.
 * @throws DatabaseError, DatabaseUnavailable as the database does
 */
export async function readCatalog(database: GatewayDatabase, scope: CatalogScope): Promise<Catalog> {
  const queries = [
    versionSql,
    relationRowsSql,
    columnRowsSql,
    defaultRowsSql,
    keyRowsSql,
    representationRowsSql,
    viewRowsSql,
  ];
  const rows = await readRows(
    database,
    queries.map((sql) => asJson(sql, scope.schemas)),
  );
  const [versions, relations, columns, defaults, keys, conversions, views] = rows as [
    { version: string }[],
    RelationRow[],
    ColumnRow[],
    DefaultRow[],
    KeyRow[],
    RepresentationRow[],
    ViewRow[],
  ];
  const representations = collectRepresentations(conversions);
  return new StoredCatalog({
    schemas: scope.schemas,
    serverVersion: versions[0]?.version.split(' ')[0] ?? '',
    readAt: scope.clock.now(),
    relations: makeRelations({
      relations,
      columns,
      defaults,
      keys,
      representations,
      views: traceViewColumns(views),
    }),
    representations: [...representations.values()],
    relationships: [],
    routines: [],
    computedColumns: new Map(),
    types: new Map(),
  });
}
