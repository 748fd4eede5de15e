import { LruCache } from '../../base/lru-cache.ts';
import { randomUUID } from 'node:crypto';
import type { Statement } from '../../store/sql/database.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { comparisonOperators, type Condition, type PlainOperator, type Query } from '../query/query.ts';
import { buildTree } from './embed.ts';
import {
  outputOptions,
  type Plan,
  type PlanRequest,
  type ReadRequest,
  type WriteRequest,
  resultSql,
} from './request.ts';
import { Aliases, type Node, directSource } from './select-node.ts';
import { type Output, getOutputs } from './select-output.ts';
import { countedSql, isBounded, selectSql } from './select-sql.ts';
import { bind, identifier, type Sql, sql, toStatement } from './sql.ts';
import { planInsert } from './plan-write.ts';

/**
 * Plans GET and HEAD of a relation.
 * @throws GatewayError for missing or ambiguous relationships, disabled aggregates, unknown casts, and filters or
 * orders of resources that are not embedded
 */
export function planRead(request: ReadRequest): Plan {
  const { catalog, settings, query, relation, format, withBody } = request;
  const node = buildTree(
    { catalog, aliases: new Aliases(relation.name), maxRows: settings.maxRows },
    {
      source: directSource(relation.name, relation),
      from: sql`${identifier(relation.schema, relation.name)} AS ${identifier(relation.name)}`,
      joins: [],
    },
    query.select.length === 0 ? [{ kind: 'all' }] : query.select,
    [query.root, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = getOutputs(node, options);
  const counted = getCount(node, outputs, request);
  const main = resultSql({
    rows: selectSql(node, outputs, options),
    outputs,
    format,
    withBody,
    total: counted.total,
  });
  return {
    main: toStatement(main),
    isReadOnly: true,
    ...(counted.explained && {
      explain: toStatement(sql`EXPLAIN (FORMAT JSON) ${counted.explained}`),
    }),
  };
}

/**
 * Returns SQL for the total number of rows. An estimated count is exact up to the maximum rows of a response and uses
 * the planner above; without a maximum it is exact.
 */
function getCount(
  node: Node,
  outputs: readonly Output[],
  request: PlanRequest,
): { total?: Sql; explained?: Sql } {
  const { count } = request.preferences;
  const { maxRows } = request.settings;
  if (count === undefined) return {};
  const rows = countedSql(node, outputs, outputOptions(request));
  if (count === 'planned') return { explained: rows };
  if (!isBounded(node)) return { total: sql`count(*)::text` };
  if (count === 'exact' || maxRows === undefined) return { total: countSql(rows) };
  return { total: countSql(sql`${rows} LIMIT ${bind(String(maxRows + 1))}`), explained: rows };
}

const countSql = (rows: Sql): Sql => sql`(SELECT count(*)::text FROM (${rows}) AS "all")`;

/** A statement with placeholders for request values. */
interface StatementTemplate {
  readonly text: string;
  /** A number is the index of a request value. */
  readonly values: readonly (string | number | null)[];
}

interface CachedPlan {
  readonly main: StatementTemplate;
  readonly explain?: StatementTemplate;
  readonly isReadOnly: boolean;
}

/** Maximum plans per catalog. Clients send few shapes of requests. */
const maxCached = 500;
/** Maximum length of a cache key, in characters. */
const maxKeyLength = 4000;

/** Cached plans per catalog by key, least recently used first. */
const planCaches = new WeakMap<Catalog, LruCache<string, CachedPlan>>();

/** Random placeholder for values during planning, which no request can contain. */
const secret = randomUUID();
const toPlaceholder = (index: number): string => `${secret} ${index}`;

/**
 * Caches `planRead` for requests that differ only in compared values.
 * @throws GatewayError as `planRead`
 */
export function planReadCached(request: ReadRequest): Plan {
  const originals: string[] = [];
  const query = extractValues(request.query, originals);
  const { relation, withBody } = request;
  const key = getKey('read', { ...request, query }, [relation.schema, relation.name, withBody]);
  return planCached(request, { key, originals }, (values) =>
    planRead({ ...request, query: replaceValues(request.query, values) }),
  );
}

/**
 * Caches `planInsert` for bodies with the same keys.
 * @throws GatewayError as `planInsert`
 */
export function planInsertCached(request: WriteRequest): Plan {
  const { relation, body } = request;
  const { keys, isArray, count, json } = body;
  // The row count is part of the statement only if the rows have no keys.
  const shape = [relation.schema, relation.name, keys, isArray, keys.length === 0 ? count : null];
  return planCached(request, { key: getKey('insert', request, shape), originals: [json] }, ([value = json]) =>
    planInsert({ ...request, body: { ...body, json: value } }),
  );
}

/** Returns a cache key of everything that affects a plan, except catalog and values. */
function getKey(
  kind: string,
  { settings, query, preferences, format }: PlanRequest,
  more: unknown[],
): string {
  const { maxRows, allowsAggregates, allowsUnfiltered } = settings;
  return JSON.stringify([
    kind,
    more,
    query,
    preferences,
    format,
    maxRows,
    allowsAggregates,
    allowsUnfiltered,
  ]);
}

function planCached(
  { catalog }: PlanRequest,
  { key, originals }: { readonly key: string; readonly originals: readonly string[] },
  plan: (values: readonly string[]) => Plan,
): Plan {
  const plans = planCaches.get(catalog) ?? new LruCache<string, CachedPlan>(maxCached);
  planCaches.set(catalog, plans);
  const known = plans.get(key);
  if (known === undefined) {
    const made = key.length > maxKeyLength ? undefined : makeTemplate(originals, plan);
    if (made !== undefined) plans.set(key, made);
    return made === undefined ? plan(originals) : fillPlan(made, originals);
  }
  return fillPlan(known, originals);
}

/** @returns undefined if planning fails, or a value is used other than as a bound value */
function makeTemplate(
  originals: readonly string[],
  plan: (values: readonly string[]) => Plan,
): CachedPlan | undefined {
  const numbers = new Map(originals.map((_, index) => [toPlaceholder(index), index]));
  let made: Plan;
  try {
    made = plan([...numbers.keys()]);
  } catch {
    // The error message must contain the actual values.
    return undefined;
  }
  const toTemplate = ({ text, values }: Statement): StatementTemplate => ({
    text,
    values: values.map((value) => (value === null ? null : (numbers.get(value) ?? value))),
  });
  const { explain, isReadOnly } = made;
  const main = toTemplate(made.main);
  const templates = explain === undefined ? [main] : [main, toTemplate(explain)];
  const isWhole = originals.every((_, index) => main.values.includes(index));
  if (!isWhole || JSON.stringify(templates).includes(secret)) return undefined;
  return { main, ...(explain && { explain: toTemplate(explain) }), isReadOnly };
}

function fillPlan({ main, explain, isReadOnly }: CachedPlan, originals: readonly string[]): Plan {
  const fill = ({ text, values }: StatementTemplate): Statement => ({
    text,
    values: values.map((value) => (typeof value === 'number' ? originals[value]! : value)),
  });
  return { main: fill(main), ...(explain && { explain: fill(explain) }), isReadOnly };
}

interface ComparedCondition extends Omit<Extract<Condition, { kind: 'test' }>, 'test'> {
  readonly test: { readonly operator: PlainOperator; readonly value: string };
}

const compared: ReadonlySet<string> = new Set(comparisonOperators);

/** Whether a value is only bound, so that the rest of the statement does not depend on it. */
const isCompared = (condition: Condition): condition is ComparedCondition =>
  condition.kind === 'test' && compared.has(condition.test.operator) && !('values' in condition.test);

/** Replaces the values of a query by placeholders and appends them to `originals`. */
function extractValues(query: Query, originals: string[]): Query {
  for (const condition of query.root.conditions)
    if (isCompared(condition)) originals.push(condition.test.value);
  return replaceValues(
    query,
    originals.map((_, index) => toPlaceholder(index)),
  );
}

function replaceValues(query: Query, values: readonly string[]): Query {
  let at = 0;
  const conditions = query.root.conditions.map((condition): Condition => {
    if (!isCompared(condition)) return condition;
    const value = values[at]!;
    at += 1;
    return { ...condition, test: { ...condition.test, value } };
  });
  return { ...query, root: { ...query.root, conditions } };
}
