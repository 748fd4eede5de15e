import type { Relation, ResultColumn, Catalog, ComputedColumn } from '../catalog/catalog.ts';
import type { Level, SelectItem, Field, JsonStep } from '../query/query.ts';
import { type Sql, identifier, sql, bindKey, catalogSql } from './sql.ts';

type EmbedItem = Extract<SelectItem, { kind: 'embed' }>;

/** An entry of `select=` that is not an embedded resource. */
export type PlainItem = Exclude<SelectItem, EmbedItem>;

/** One level of the selection: rows of one source with order and limits. */
export interface Node {
  readonly source: Source;
  /** FROM item with the alias of the source. */
  readonly from: Sql;
  /** Join conditions with the parent level. */
  readonly joins: readonly Sql[];
  readonly items: readonly (PlainItem | Child)[];
  readonly level: Level;
  /** Maximum number of rows regardless of the request. */
  readonly maxRows?: number | undefined;
}

/** An embedded resource. */
export interface Child {
  readonly kind: 'child';
  /** Name in filters and orders, and in the response unless spread: the alias, else the target. */
  readonly name: string;
  readonly target: string;
  /** Alias of the lateral query of its rows. */
  readonly alias: string;
  readonly isToMany: boolean;
  readonly isInner: boolean;
  readonly isSpread: boolean;
  readonly relation: Relation;
  readonly node: Node;
}

/** Whether nothing of it is shown: `target()`, or only empty embedded resources. */
export const isEmpty = ({ items }: Node): boolean =>
  items.every((item) => item.kind === 'child' && isEmpty(item.node));

export const getChildren = (node: Node): readonly Child[] =>
  node.items.filter((item): item is Child => item.kind === 'child');

/** Source of a level's columns: a table under its alias, rows of a function, or written rows. */
export interface Source {
  /** Absent for function rows that belong to no relation. */
  readonly relation: Relation | undefined;
  /** Absent if unknown. */
  readonly columns: readonly ResultColumn[] | undefined;
  readonly alias: string;
  /** Returns the stored value of a column. */
  column(column: string): Sql;
  /** Returns the row as a value of the relation's row type, for functions that take it. */
  wholeRow(): Sql;
  /** Returns `*`; undefined if columns must be listed. */
  everything(): Sql | undefined;
}

/** Returns a source that reads columns directly from a FROM item. */
export function directSource(
  alias: string,
  relation: Relation | undefined,
  columns: readonly ResultColumn[] | undefined = relation?.columns,
): Source {
  return {
    relation,
    columns,
    alias,
    column: (column) => identifier(alias, column),
    wholeRow: () => sql`${identifier(alias)}.*`,
    everything: () => sql`${identifier(alias)}.*`,
  };
}

/** Contains spaces, so that it does not conflict with column names. */
const wholeRowName = 'stepwright whole row';

/**
 * Columns of a CTE, which must return only the requested columns, because a role may be allowed to read only some.
 * Call {@link returned} after everything else is planned.
 */
export class ReturnedSource implements Source {
  readonly relation: Relation;
  readonly columns: readonly ResultColumn[];
  readonly alias: string;
  readonly #columns = new Set<string>();
  #givesWholeRow = false;

  constructor(alias: string, relation: Relation) {
    this.relation = relation;
    this.columns = relation.columns;
    this.alias = alias;
  }

  column(column: string): Sql {
    this.#columns.add(column);
    return identifier(this.alias, column);
  }

  wholeRow(): Sql {
    this.#givesWholeRow = true;
    return identifier(this.alias, wholeRowName);
  }

  everything(): undefined {
    return undefined;
  }

  /** Returns the columns that the CTE must return, with the relation under `alias`. Empty if none was requested. */
  returned(alias: string): readonly Sql[] {
    const columns = [...this.#columns].map(
      (column) => sql`${identifier(alias, column)} AS ${identifier(column)}`,
    );
    return this.#givesWholeRow
      ? [...columns, sql`${identifier(alias)} AS ${identifier(wholeRowName)}`]
      : columns;
  }
}

/** Scope of column names. */
export interface Scope {
  readonly catalog: Catalog;
  readonly source: Source;
}

/** Returns a column of the catalog; undefined for computed and unknown columns, which PostgreSQL resolves. */
export const findColumn = ({ source }: Scope, column: string): ResultColumn | undefined =>
  source.columns?.find(({ name }) => name === column);

/** Returns a column or computed column; undefined for unknown ones, which PostgreSQL resolves. */
export const findValue = (scope: Scope, column: string): Omit<ComputedColumn, 'functionSql'> | undefined =>
  findColumn(scope, column) ?? findComputed(scope, column);

const findComputed = ({ catalog, source }: Scope, column: string): ComputedColumn | undefined =>
  source.relation && catalog.computedColumns(source.relation).get(column);

/** Returns the stored value of a field in a comparable type, for filters and aggregates. */
export function comparableValue(scope: Scope, field: Field): Sql {
  const stored = storedValue(scope, field);
  const comparedAs = field.json.length === 0 && findValue(scope, field.column)?.comparedAs;
  return comparedAs ? sql`${stored}::${catalogSql(comparedAs)}` : stored;
}

/** Returns the stored value of a field, for orders and groups. Conversions apply only to JSON paths. */
export function storedValue(scope: Scope, { column, json }: Field): Sql {
  if (json.length === 0) return plainValue(scope, column);
  const response = findValue(scope, column)?.representation?.response;
  // A JSON path refers to the presented form; jsonb is comparable.
  const value = response
    ? sql`to_jsonb(${catalogSql(response.functionSql)}(${plainValue(scope, column)}))`
    : jsonValue(scope, column);
  return followPath(value, json);
}

/** Returns the presented value of a field, through the response conversion of its domain. */
export function selectExpression(scope: Scope, { column, json }: Field): Sql {
  const response = findValue(scope, column)?.representation?.response;
  if (!response) return storedValue(scope, { column, json });
  return followPath(sql`${catalogSql(response.functionSql)}(${plainValue(scope, column)})`, json);
}

/** Returns the key of a field in a response: the last path key, else the column. */
export function fieldName({ column, json }: Field): string {
  const last = json.findLast(({ key }) => typeof key === 'string');
  return last === undefined ? column : String(last.key);
}

function plainValue(scope: Scope, column: string): Sql {
  const { source } = scope;
  const computed = findColumn(scope, column) ? undefined : findComputed(scope, column);
  return computed ? sql`${catalogSql(computed.functionSql)}(${source.wholeRow()})` : source.column(column);
}

/**
 * Returns the value for a JSON path. Composite values and arrays are converted; json stays unchanged with its number
 * spelling.
 */
function jsonValue(scope: Scope, column: string): Sql {
  const type = findColumn(scope, column)?.baseTypeSql;
  const value = plainValue(scope, column);
  return type === 'json' || type === 'jsonb' ? value : sql`to_jsonb(${value})`;
}

function followPath(value: Sql, steps: readonly JsonStep[]): Sql {
  let reached = value;
  for (const { arrow, key } of steps) {
    const bound = bindKey(key);
    reached = arrow === '->' ? sql`${reached} -> ${bound}` : sql`${reached} ->> ${bound}`;
  }
  return steps.length === 0 ? value : sql`(${reached})`;
}

/** Unique aliases for FROM items within a statement, because a level may refer to any level above. */
export class Aliases {
  readonly #taken: string;
  #count = 0;

  /** @param taken alias of the root, which is the relation name so that PostgreSQL messages are readable */
  constructor(taken: string) {
    this.#taken = taken;
  }

  next(name: string): string {
    // PostgreSQL truncates names at 63 bytes, which could make two equal.
    const stem = /^\w{1,40}$/.test(name) ? name : 'rows';
    this.#count += 1;
    const alias = `${stem}_${this.#count}`;
    return alias === this.#taken ? this.next(name) : alias;
  }
}
