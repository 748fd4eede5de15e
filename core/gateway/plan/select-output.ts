import type { Catalog } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Field } from '../query/query.ts';
import { join, identifier, type Sql, sql, catalogSql } from './sql.ts';
import {
  comparableValue,
  fieldName,
  findValue,
  selectExpression,
  type Scope,
  storedValue,
  type Child,
  isEmpty,
  type Node,
  type PlainItem,
} from './select-node.ts';

/** A column of a level's output. */
export interface Output {
  /** Absent for `*`. */
  readonly name?: string;
  readonly value: Sql;
  /** Whether the value is JSON from a conversion or an embedded resource. */
  readonly isJson: boolean;
  /** Group expression if another output is an aggregate; absent for aggregates. */
  readonly group?: Sql;
  readonly aggregate?: Aggregate;
}

type Value = Pick<Output, 'value' | 'isJson'>;

/** Argument of an aggregate, which a parent level may compute. */
interface Aggregate {
  /** Absent for `count()`. */
  readonly argument?: Sql;
  over(argument: Sql): Value;
}

export interface OutputOptions {
  readonly catalog: Catalog;
  readonly allowsAggregates: boolean;
  /** Whether every column must be listed. */
  readonly listsColumns: boolean;
}

/**
 * Returns the outputs of a level in the order of `select=`.
 * @throws GatewayError PGRST123 if aggregates are disabled, 42704 for an unknown cast
 */
export function getOutputs(node: Node, options: OutputOptions): readonly Output[] {
  const scope = { catalog: options.catalog, source: node.source };
  const hasAggregate = asksForAggregate(node);
  const listsColumns = options.listsColumns || hasAggregate;
  return node.items.flatMap((item) => {
    if (item.kind === 'child') return getChildOutputs(item, { ...options, listsColumns: true }, hasAggregate);
    if (item.kind === 'all') return allColumns(scope, listsColumns);
    return [fieldOutput(scope, item, options)];
  });
}

/** Whether a spread resource contains aggregates, which this level computes over its own rows. */
const asksForAggregate = ({ items }: Node): boolean =>
  items.some((item) =>
    item.kind === 'child'
      ? item.isSpread && !item.isToMany && asksForAggregate(item.node)
      : item.kind === 'field' && item.aggregate !== undefined,
  );

export const hasAggregates = (outputs: readonly Output[]): boolean =>
  outputs.some(({ group }) => group === undefined);

function getChildOutputs(child: Child, options: OutputOptions, isGathered: boolean): readonly Output[] {
  const { alias, node, isToMany } = child;
  if (child.isSpread) {
    return getOutputs(node, options).map((output, index): Output => {
      const raw = identifier(alias, spreadName(index));
      if (output.aggregate && !isToMany) {
        const { argument, over } = output.aggregate;
        const counted = argument ? raw : identifier(alias, 'found');
        return { ...output, ...over(counted), aggregate: { argument: counted, over } };
      }
      const value = isToMany ? sql`coalesce(${raw}, '[]')` : raw;
      return { name: output.name ?? '', value, isJson: isToMany || output.isJson, group: value };
    });
  }
  if (isEmpty(node)) return [];
  const raw = identifier(alias, 'value');
  const json = isToMany ? sql`coalesce(${raw}, '[]')` : raw;
  // json is not comparable.
  const value = isGathered ? sql`(${json})::jsonb` : json;
  return [{ name: child.name, value, isJson: true, group: value }];
}

/** Returns the column name of a spread output in a lateral query. */
export const spreadName = (index: number): string => `c${index}`;

/**
 * Returns the columns of a spread resource. For to-one, aggregate arguments are passed to the parent, because an
 * aggregate of one row is meaningless.
 */
export function spreadOutputs(outputs: readonly Output[], isToMany: boolean): readonly Output[] {
  return outputs.map((output, index): Output => {
    const named = { ...output, name: spreadName(index) };
    if (!output.aggregate || isToMany) return named;
    const value = output.aggregate.argument ?? sql`NULL`;
    return { name: named.name, value, isJson: false, group: value };
  });
}

function allColumns(scope: Scope, listsColumns: boolean): readonly Output[] {
  const { source } = scope;
  const { columns = [] } = source;
  const isRepresented = columns.some(({ representation }) => representation?.response !== undefined);
  const everything = isRepresented || (listsColumns && source.columns) ? undefined : source.everything();
  if (everything) return [{ value: everything, isJson: false, group: everything }];
  return columns.map((column) => columnOutput(scope, { column: column.name, json: [] }));
}

const columnOutput = (scope: Scope, field: Field): Output => ({
  name: fieldName(field),
  value: selectExpression(scope, field),
  isJson: findValue(scope, field.column)?.representation?.response !== undefined,
  group: storedValue(scope, field),
});

type FieldItem = Extract<PlainItem, { kind: 'field' }>;

function fieldOutput(scope: Scope, item: FieldItem, options: OutputOptions): Output {
  if (item.aggregate) return aggregateOutput(scope, item, options);
  const field = item.field!;
  const output = columnOutput(scope, field);
  const named = { ...output, name: item.alias ?? output.name ?? '' };
  const isText = field.json.at(-1)?.arrow === '->>';
  if (item.cast === undefined) return { ...named, isJson: output.isJson && !isText };
  return { ...named, value: castTo(options.catalog, output.value, item.cast), isJson: false };
}

function aggregateOutput(scope: Scope, item: FieldItem, options: OutputOptions): Output {
  if (!options.allowsAggregates) {
    throw new GatewayError(400, 'PGRST123', 'Use of aggregate functions is not allowed', {
      hint: 'Set gateway.allowAggregates (ENGINE_GATEWAY_ALLOW_AGGREGATES) to use them.',
    });
  }
  const { function: called, cast } = item.aggregate!;
  const { catalog } = options;
  const stored = item.field ? comparableValue(scope, item.field) : sql`*`;
  const argument = item.cast === undefined || !item.field ? stored : castTo(catalog, stored, item.cast);
  const over = (taken: Sql): Value => {
    const aggregated = sql`${catalogSql(called)}(${taken})`;
    return cast === undefined
      ? convertExtreme(scope, item, aggregated)
      : { value: castTo(catalog, aggregated, cast), isJson: false };
  };
  return {
    name: item.alias ?? called,
    ...over(argument),
    aggregate: { ...(item.field && { argument }), over },
  };
}

/** Presents min and max, which are values of the domain, unlike sums, averages and counts. */
function convertExtreme(scope: Scope, item: FieldItem, value: Sql): Value {
  const { field, cast, aggregate } = item;
  const isExtreme = aggregate?.function === 'max' || aggregate?.function === 'min';
  const column = field && field.json.length === 0 && cast === undefined && findValue(scope, field.column);
  const response = column && column.representation?.response;
  if (!isExtreme || !response) return { value, isJson: false };
  const domainValue = sql`${value}::${catalogSql(column.typeSql)}`;
  return { value: sql`${catalogSql(response.functionSql)}(${domainValue})`, isJson: true };
}

function castTo(catalog: Catalog, value: Sql, type: string): Sql {
  const found = catalog.findType(type);
  if (found === undefined) {
    throw new GatewayError(400, '42704', `type "${type}" does not exist`, {
      hint: 'Cast to a database type such as text, integer or jsonb.',
    });
  }
  return sql`CAST(${value} AS ${catalogSql(found)})`;
}

/** Returns a select list: `"a", f("b") AS "b"`. */
export const outputList = (outputs: readonly Output[]): Sql =>
  join(
    outputs.map((output) =>
      output.name === undefined ? output.value : sql`${output.value} AS ${identifier(output.name)}`,
    ),
    ', ',
  );
