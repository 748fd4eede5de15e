import type { GatewayRowFilter } from '../../contract/gateway-tables.ts';
import { AppError } from '../../base/errors.ts';
import type { GatewayDatabase, Statement, StatementResult } from '../../store/sql/database.ts';
import type { Column } from '../catalog/catalog.ts';
import { conditionsSql } from '../plan/filter.ts';
import { directSource } from '../plan/select-node.ts';
import { bind, catalogSql, identifier, join, type Sql, sql, toStatement } from '../plan/sql.ts';
import type { Condition } from '../query/query.ts';
import {
  comparable,
  findColumn,
  keyCondition,
  outputList,
  readRow,
  type Row,
  rowOutputs,
  shownText,
  storedText,
  type Table,
  tableSql,
} from './table-sql.ts';

export interface RowOrder {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** A page of rows: by the key, or by a column and then the key. NULL comes last. */
export interface RowQuery {
  readonly filters: readonly GatewayRowFilter[];
  readonly order?: RowOrder | undefined;
  /** Position after which the page begins. */
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** Stored values of a row by which the next page begins: of the ordering column, if any, and the key. */
export type Position = readonly (string | null)[];

export interface RowPage {
  readonly rows: readonly Row[];
  /** Undefined on the last page, and without a key. */
  readonly next?: Position;
}

/** Reads a page by the position of the previous one instead of an offset, so that all pages are equally fast. */
export async function readRows(database: GatewayDatabase, table: Table, query: RowQuery): Promise<RowPage> {
  const sections = sectionsOf(table, query);
  const statements = sections.map(({ conditions, order }) => pageStatement(table, query, conditions, order));
  const results = await database.transact({ isReadOnly: true, statements });
  const found = results.flatMap(({ rows }) => rows).slice(0, query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const ordering = query.order === undefined ? 0 : 1;
  const next = last?.slice(0, ordering + (table.key?.length ?? 0));
  return {
    rows: page.map((values) => readRow(table, values.slice(ordering + (table.key?.length ?? 0)))),
    ...(found.length > page.length && table.key !== undefined && next !== undefined && { next }),
  };
}

/** A part of the rows in one order. */
interface Section {
  readonly conditions: readonly Sql[];
  readonly order: readonly Sql[];
}

/** Returns the rows with a value in the ordering column, then those without, so that both use an index. */
function sectionsOf(table: Table, { order, after }: RowQuery): readonly Section[] {
  const { key = [] } = table;
  const word = catalogSql(order?.direction === 'desc' ? ' DESC' : ' ASC');
  const sorted = (columns: readonly Column[]): readonly Sql[] =>
    columns.map((column) => sql`${comparable(column)}${word}`);
  if (order === undefined) return [{ conditions: positionConditions(key, after, 'asc'), order: sorted(key) }];
  const column = findColumn(table, order.column);
  const inValues = [column, ...key.filter(({ name }) => name !== column.name)];
  const keyAfter = after?.slice(1);
  const values: Section = {
    conditions: [
      ...(column.isNullable ? [sql`${identifier(column.name)} IS NOT NULL`] : []),
      ...(after === undefined
        ? []
        : positionConditions(
            inValues,
            [
              after[0] ?? null,
              ...key.flatMap(({ name }, at) => (name === column.name ? [] : [after[at + 1]!])),
            ],
            order.direction,
          )),
    ],
    order: sorted(inValues),
  };
  const nulls: Section = {
    conditions: [
      sql`${identifier(column.name)} IS NULL`,
      ...(after?.[0] === null ? positionConditions(key, keyAfter, order.direction) : []),
    ],
    order: sorted(key),
  };
  if (!column.isNullable) return [values];
  return after?.[0] === null ? [nulls] : [values, nulls];
}

/** Returns the condition for rows after a position: `(a, b) > ($1, $2)`, for which PostgreSQL uses an index. */
function positionConditions(
  columns: readonly Column[],
  after: Position | undefined,
  direction: RowOrder['direction'],
): readonly Sql[] {
  if (after === undefined || columns.length === 0) return [];
  const values = columns.map((_, index) => bind(after[index] ?? null));
  const sign = catalogSql(direction === 'asc' ? '>' : '<');
  return [sql`(${join(columns.map(comparable), ', ')}) ${sign} (${join(values, ', ')})`];
}

function pageStatement(
  table: Table,
  { filters, order, limit }: RowQuery,
  conditions: readonly Sql[],
  terms: readonly Sql[],
): Statement {
  const { key = [], relation } = table;
  const all = [...filterConditions(table, filters), ...conditions];
  const position = [...(order === undefined ? [] : [findColumn(table, order.column)]), ...key].map(
    storedText,
  );
  const outputs =
    position.length === 0 ? rowOutputs(table) : sql`${outputList(position)}, ${rowOutputs(table)}`;
  const sorted = terms.length === 0 ? sql`` : sql` ORDER BY ${join(terms, ', ')}`;
  const limited = catalogSql(String(limit + 1));
  return toStatement(
    sql`SELECT ${outputs} FROM ${tableSql(relation)}${whereSql(all)}${sorted} LIMIT ${limited}`,
  );
}

const whereSql = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`` : sql` WHERE ${join(conditions, ' AND ')}`;

/** Returns the conditions of filters. Values are converted as in a request to the gateway. */
function filterConditions(table: Table, filters: readonly GatewayRowFilter[]): readonly Sql[] {
  const { relation, catalog } = table;
  const scope = { catalog, source: directSource(relation.name, relation), findEmbedded: () => undefined };
  return filters.map(({ column: name, operator, value = '' }) => {
    const column = findColumn(table, name);
    if (operator === 'contains')
      return sql`position(lower(${bind(value)}) in lower(${shownText(column)})) > 0`;
    const field = { column: column.name, json: [] };
    const condition = (test: Extract<Condition, { kind: 'test' }>['test']): Sql =>
      conditionsSql(scope, [{ kind: 'test', isNegated: false, field, test }])[0]!;
    if (operator === 'isNull') return condition({ operator: 'is', value: 'null' });
    if (operator === 'isNotNull') return condition({ operator: 'is', value: 'not_null' });
    return condition({ operator, value });
  });
}

/** Information about a table that do not change from page to page. */
export interface TableInfo {
  /** Number of rows that match the filters, up to {@link maxCount}. */
  readonly count: number;
  readonly isCountCapped: boolean;
  /** Number of all rows as the planner estimates it; undefined if unknown. */
  readonly estimate?: number;
  /** Columns by which an index orders the rows. */
  readonly indexed: readonly string[];
}

const maxCount = 10_000;

/** Counts rows and reads which columns are indexed. */
export async function readTableInfo(
  database: GatewayDatabase,
  table: Table,
  filters: readonly GatewayRowFilter[],
): Promise<TableInfo> {
  const { relation } = table;
  const name = toStatement(tableSql(relation)).text;
  const conditions = whereSql(filterConditions(table, filters));
  const counted = sql`SELECT 1 FROM ${tableSql(relation)}${conditions} LIMIT ${catalogSql(String(maxCount + 1))}`;
  const [counts, info, indexes] = await database.transact({
    isReadOnly: true,
    statements: [
      toStatement(sql`SELECT count(*) FROM (${counted}) AS counted`),
      { text: 'SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass($1)', values: [name] },
      { text: indexedSql, values: [name] },
    ],
  });
  const count = firstNumber(counts);
  const estimate = firstNumber(info);
  return {
    count: Math.min(count, maxCount),
    isCountCapped: count > maxCount,
    ...(estimate > 0 && { estimate }),
    indexed: indexes?.rows.map(([column]) => column ?? '') ?? [],
  };
}

const firstNumber = (result: StatementResult | undefined): number => Number(result?.rows[0]?.[0] ?? 0);

const indexedSql = `
SELECT DISTINCT a.attname FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = to_regclass($1) AND i.indisvalid AND i.indpred IS NULL ORDER BY 1`;

/** Maximum length of a single value, in code points. */
const maxValueLength = 1_000_000;

/**
 * Reads one value in full.
 * @throws `not_found` if the row is missing
 */
export async function readValue(
  database: GatewayDatabase,
  table: Table,
  { key, column: name }: { readonly key: readonly string[]; readonly column: string },
): Promise<{ readonly text: string | null; readonly stored: string | null; readonly isCut: boolean }> {
  const column = findColumn(table, name);
  const { relation, key: columns = [] } = table;
  const start = (text: Sql): Sql => sql`left(${text}, ${catalogSql(String(maxValueLength))})`;
  const outputs = [start(shownText(column)), start(storedText(column)), sql`length(${storedText(column)})`];
  const [result] = await database.transact({
    isReadOnly: true,
    statements: [
      toStatement(
        sql`SELECT ${join(outputs, ', ')} FROM ${tableSql(relation)} WHERE ${keyCondition(columns, key)}`,
      ),
    ],
  });
  const row = result?.rows[0];
  if (row === undefined) throw new AppError('not_found', 'This row no longer exists.');
  const [text = null, stored = null, length = '0'] = row;
  return { text, stored, isCut: Number(length) > maxValueLength };
}
