import { randomUUID } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Statement } from '../database/database.ts';
import { comparisonOperators, type Condition, type PlainOperator, type Query } from '../query/query.ts';
import type { Plan } from './plan.ts';
import { planRead } from './plan-read.ts';
import { planInsert } from './plan-write.ts';
import type { PlanRequest, ReadRequest, WriteRequest } from './request.ts';

/** A statement with places for the values that differ from one request to the next. */
interface Form {
  readonly text: string;
  /** A number is that of a value. */
  readonly values: readonly (string | number | null)[];
}

interface KeptPlan {
  readonly main: Form;
  readonly explain?: Form;
  readonly isReadOnly: boolean;
}

/** Of one catalog: what clients ask for is of few shapes. */
const mostKept = 500;
/** Characters of what a plan is found by. */
const longestKey = 4000;

/** Plans of one catalog by what they were made from; what was used last is last. */
const keptPlans = new WeakMap<Catalog, Map<string, KeptPlan>>();

/** Stands for a value while a statement is planned. Nobody can send it. */
const secret = randomUUID();
const standIn = (index: number): string => `${secret} ${index}`;

/**
 * As `planRead`; requests that differ only in values which columns are compared with are planned once.
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
 * As `planInsert`; bodies of the same keys are planned once.
 * @throws GatewayError as `planInsert`
 */
export function planInsertOnce(request: WriteRequest): Plan {
  const { relation, body } = request;
  const { keys, isArray, count, json } = body;
  // How many there are is part of the statement only where they have no keys.
  const shape = [relation.schema, relation.name, keys, isArray, keys.length === 0 ? count : null];
  return planOnce(request, { key: keyOf('insert', request, shape), given: [json] }, ([value = json]) =>
    planInsert({ ...request, body: { ...body, json: value } }),
  );
}

/** All that a plan depends on, but for the catalog and the values. */
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
  const plans = keptPlans.get(catalog) ?? new Map<string, KeptPlan>();
  keptPlans.set(catalog, plans);
  const known = plans.get(key);
  if (known === undefined) {
    const made = key.length > longestKey ? undefined : makeForm(given, plan);
    if (made !== undefined) keep(plans, key, made);
    return made === undefined ? plan(given) : fillPlan(made, given);
  }
  plans.delete(key);
  plans.set(key, known);
  return fillPlan(known, given);
}

function keep(plans: Map<string, KeptPlan>, key: string, made: KeptPlan): void {
  plans.set(key, made);
  if (plans.size <= mostKept) return;
  const [oldest] = plans.keys();
  if (oldest !== undefined) plans.delete(oldest);
}

/** @returns undefined when the plan is refused, or a value became part of anything but the values */
function makeForm(given: readonly string[], plan: (values: readonly string[]) => Plan): KeptPlan | undefined {
  const numbers = new Map(given.map((_, index) => [standIn(index), index]));
  let made: Plan;
  try {
    made = plan([...numbers.keys()]);
  } catch {
    // Its words are to be about the values.
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

function fillPlan({ main, explain, isReadOnly }: KeptPlan, given: readonly string[]): Plan {
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

/** Whether a value stands alone: it is bound as it is, and nothing else of the statement depends on it. */
const isCompared = (condition: Condition): condition is Compared =>
  condition.kind === 'test' && compared.has(condition.test.operator) && !('values' in condition.test);

/** The query with stand-ins; their values are added to `given`. */
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
