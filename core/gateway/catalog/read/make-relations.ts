import type { Column, Relation, Representation } from '../catalog.ts';
import type { ColumnRow, DefaultRow } from './column-rows.ts';
import type { KeyRow } from './key-rows.ts';
import type { RelationRow } from './relation-rows.ts';
import type { ViewColumns } from './view-columns.ts';

/** Rows of the system catalog that describe relations, by their numbers. */
export interface RelationRows {
  readonly relations: readonly RelationRow[];
  readonly columns: readonly ColumnRow[];
  readonly defaults: readonly DefaultRow[];
  readonly keys: readonly KeyRow[];
  readonly representations: ReadonlyMap<number, Representation>;
  readonly views: ViewColumns;
}

type ColumnDefault = Pick<ColumnRow, 'defaultSql' | 'isGenerated'>;

/** Builds relations with columns and keys. Views get the keys of their base tables. */
export function makeRelations(input: RelationRows): Relation[] {
  const columns = Map.groupBy(input.columns, ({ relation }) => relation);
  const keys = Map.groupBy(input.keys, ({ relation }) => relation);
  const defaults = new Map(input.defaults.map((row) => [`${row.relation}.${row.number}`, row]));
  return input.relations.map(({ oid, ...relation }) => {
    const rows = columns.get(oid) ?? [];
    const names = new Map(rows.map(({ number, name }) => [number, name]));
    const columnKeys = input.views.has(oid) ? keysOfView(oid, keys, input.views) : (keys.get(oid) ?? []);
    const named = columnKeys.map((key) => ({
      ...key,
      names: key.columns.map((number) => names.get(number) ?? ''),
    }));
    return {
      ...relation,
      columns: rows.map((row) =>
        makeColumn(row, storedDefault(row, input.views, defaults), input.representations),
      ),
      primaryKey: named.filter(({ isPrimary }) => isPrimary).flatMap((key) => key.names),
      uniqueKeys: named.filter(({ isPrimary }) => !isPrimary).map((key) => key.names),
    };
  });
}

function makeColumn(
  row: ColumnRow,
  { defaultSql, isGenerated }: ColumnDefault,
  representations: ReadonlyMap<number, Representation>,
): Column {
  const representation = representations.get(row.type);
  return {
    name: row.name,
    typeSql: row.typeSql,
    baseTypeSql: row.baseTypeSql,
    isNullable: row.isNullable,
    defaultSql,
    isGenerated,
    maxLength: row.maxLength,
    enumValues: row.enumValues ?? [],
    comment: row.comment,
    comparedAs: row.comparedAs,
    ...(representation === undefined ? {} : { representation }),
  };
}

/** Returns the stored default. An updatable view uses the default of its base table unless it has its own. */
function storedDefault(
  row: ColumnRow,
  views: ViewColumns,
  defaults: ReadonlyMap<string, ColumnDefault>,
): ColumnDefault {
  const origin = views.get(row.relation)?.find(({ column }) => column === row.number);
  if (row.defaultSql !== null || origin === undefined) return row;
  return defaults.get(`${origin.table}.${origin.tableColumn}`) ?? row;
}

/** Returns the keys of base tables whose columns a view shows completely. */
function keysOfView(
  view: number,
  keys: ReadonlyMap<number, readonly KeyRow[]>,
  views: ViewColumns,
): KeyRow[] {
  const origins = views.get(view) ?? [];
  const tables = [...new Set(origins.map(({ table }) => table))];
  return tables.flatMap((table) =>
    (keys.get(table) ?? []).flatMap((key) => {
      const shown = key.columns.map(
        (number) => origins.find((origin) => origin.table === table && origin.tableColumn === number)?.column,
      );
      return shown.every((column) => column !== undefined)
        ? [{ ...key, relation: view, columns: shown }]
        : [];
    }),
  );
}
