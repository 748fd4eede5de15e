import { randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Statement } from '../database/database.ts';
import { comparisonOperators, type Condition, type PlainOperator, type Query } from '../query/query.ts';
import type { Plan } from './plan.ts';
import { planRead } from './plan-read.ts';
import { planInsert } from './plan-write.ts';
import type { PlanRequest, ReadRequest, WriteRequest } from './request.ts';

/** A statement with placeholders for request values. */
interface Form {
  readonly text: string;
  /** A number is the index of a request value. */
  readonly values: readonly (string | number | null)[];
}

interface CachedPlan {
  readonly main: Form;
  readonly explain?: Form;
  readonly isReadOnly: boolean;
}

/** Maximum plans per catalog. Clients send few shapes of requests. */
const maxCached = 500;
/** Maximum length of a cache key, in characters. */
const maxKeyLength = 4000;

/** Cached plans per catalog by key, least recently used first. */
const keptPlans = new WeakMap<Catalog, Map<string, CachedPlan>>();

/** Random placeholder for values during planning, which no request can contain. */
const secret = randomUUID();
const standIn = (index: number): string => `${secret} ${index}`;

/**
 * Caches `planRead` for requests that differ only in compared values.
 * @throws GatewayError as `planRead`
 */
export function planReadOnce(request: ReadRequest): Plan {
  const given: string[] = [];
  const query = takeValues(request.query, given);
  const { relation, withBody } = request;
  const key = keyOf('read', { ...request, query }, [relation.schema, relation.name, withBody]);
  return planOnce(request, { key, given }, (values) =>
    planRead({ ...request, query: putValues(request.query, values) }),
  );
}

/**
 * Caches `planInsert` for bodies with the same keys.
 * @throws GatewayError as `planInsert`
 */
export function planInsertOnce(request: WriteRequest): Plan {
  const { relation, body } = request;
  const { keys, isArray, count, json } = body;
  // The row count is part of the statement only if the rows have no keys.
  const shape = [relation.schema, relation.name, keys, isArray, keys.length === 0 ? count : null];
  return planOnce(request, { key: keyOf('insert', request, shape), given: [json] }, ([value = json]) =>
    planInsert({ ...request, body: { ...body, json: value } }),
  );
}

/** Returns a cache key of everything that affects a plan, except catalog and values. */
function keyOf(kind: string, { settings, query, preferences, format }: PlanRequest, more: unknown[]): string {
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

function planOnce(
  { catalog }: PlanRequest,
  { key, given }: { readonly key: string; readonly given: readonly string[] },
  plan: (values: readonly string[]) => Plan,
): Plan {
  const plans = keptPlans.get(catalog) ?? new Map<string, CachedPlan>();
  keptPlans.set(catalog, plans);
  const known = plans.get(key);
  if (known === undefined) {
    const made = key.length > maxKeyLength ? undefined : makeForm(given, plan);
    if (made !== undefined) keep(plans, key, made);
    return made === undefined ? plan(given) : fillPlan(made, given);
  }
  plans.delete(key);
  plans.set(key, known);
  return fillPlan(known, given);
}

function keep(plans: Map<string, CachedPlan>, key: string, made: CachedPlan): void {
  plans.set(key, made);
  if (plans.size <= maxCached) return;
  const [oldest] = plans.keys();
  if (oldest !== undefined) plans.delete(oldest);
}

/** @returns undefined if planning fails, or a value is used other than as a bound value */
function makeForm(
  given: readonly string[],
  plan: (values: readonly string[]) => Plan,
): CachedPlan | undefined {
  const numbers = new Map(given.map((_, index) => [standIn(index), index]));
  let made: Plan;
  try {
    made = plan([...numbers.keys()]);
  } catch {
    // The error message must contain the actual values.
    return undefined;
  }
  const toForm = ({ text, values }: Statement): Form => ({
    text,
    values: values.map((value) => (value === null ? null : (numbers.get(value) ?? value))),
  });
  const { explain, isReadOnly } = made;
  const main = toForm(made.main);
  const forms = explain === undefined ? [main] : [main, toForm(explain)];
  const isWhole = given.every((_, index) => main.values.includes(index));
  if (!isWhole || JSON.stringify(forms).includes(secret)) return undefined;
  return { main, ...(explain && { explain: toForm(explain) }), isReadOnly };
}

function fillPlan({ main, explain, isReadOnly }: CachedPlan, given: readonly string[]): Plan {
  const fill = ({ text, values }: Form): Statement => ({
    text,
    values: values.map((value) => (typeof value === 'number' ? given[value]! : value)),
  });
  return { main: fill(main), ...(explain && { explain: fill(explain) }), isReadOnly };
}

interface Compared extends Omit<Extract<Condition, { kind: 'test' }>, 'test'> {
  readonly test: { readonly operator: PlainOperator; readonly value: string };
}

const compared: ReadonlySet<string> = new Set(comparisonOperators);

/** Whether a value is only bound, so that the rest of the statement does not depend on it. */
const isCompared = (condition: Condition): condition is Compared =>
  condition.kind === 'test' && compared.has(condition.test.operator) && !('values' in condition.test);

/** Replaces the values of a query by placeholders and appends them to `given`. */
function takeValues(query: Query, given: string[]): Query {
  for (const condition of query.root.conditions) if (isCompared(condition)) given.push(condition.test.value);
  return putValues(
    query,
    given.map((_, index) => standIn(index)),
  );
}

function putValues(query: Query, values: readonly string[]): Query {
  let at = 0;
  const conditions = query.root.conditions.map((condition): Condition => {
    if (!isCompared(condition)) return condition;
    const value = values[at]!;
    at += 1;
    return { ...condition, test: { ...condition.test, value } };
  });
  return { ...query, root: { ...query.root, conditions } };
}
