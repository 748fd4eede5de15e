import { truncate } from '../../base/text.ts';
import type { Catalog, Routine, RoutineParameter } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import {
  comparisonOperators,
  patternOperators,
  type Query,
  rangeOperators,
  searchOperators,
  type CallBody,
} from '../query/query.ts';
import type { CallRequest } from './request.ts';

/** The chosen function and its arguments from the request. */
export interface SelectedRoutine {
  readonly routine: Routine;
  /** Query parameters of a GET in order; names may repeat. */
  readonly parameters: readonly Parameter[];
  /** Whether the whole body is the only argument. */
  readonly takesBody: boolean;
}

/**
 * Chooses an overload by argument names, or a function that takes the whole body.
 * @throws GatewayError PGRST202 if none matches, PGRST203 if several match
 */
export function chooseRoutine(request: CallRequest): SelectedRoutine {
  const { catalog, schema, name, body } = request;
  const overloads = catalog.findRoutines(schema, name);
  return body ? chooseForBody(request, overloads, body) : chooseForQuery(request, overloads);
}

function chooseForBody(request: CallRequest, overloads: readonly Routine[], body: CallBody): SelectedRoutine {
  const names = body.object ? [...new Set(request.query.columns ?? body.object.keys)] : [];
  const byNames = body.object ? overloads.filter((routine) => acceptsNames(routine, names)) : [];
  const [first] = byNames;
  if (byNames.length > 1) throw ambiguousRoutineError(byNames);
  if (first) return { routine: first, parameters: [], takesBody: false };
  const byBody = overloads.filter((routine) => acceptsBody(routine, body));
  const [single] = byBody;
  if (byBody.length > 1) throw ambiguousRoutineError(byBody);
  if (single) return { routine: single, parameters: [], takesBody: true };
  throw unknownRoutineError(request.catalog, request, names, body);
}

/**
 * Chooses an overload for a GET. Values that parse as filters are filters if a function matches the remaining
 * arguments. Otherwise every parameter with the name of a function parameter is an argument, so that any string can be
 * passed.
 */
function chooseForQuery(request: CallRequest, overloads: readonly Routine[]): SelectedRoutine {
  const { candidates, all } = separateArguments(request.query);
  const names = [...new Set(candidates.map(({ name }) => name))];
  const strict = overloads.filter((routine) => acceptsNames(routine, names));
  const [first] = strict;
  if (strict.length > 1) throw ambiguousRoutineError(strict);
  if (first) return { routine: first, parameters: candidates, takesBody: false };
  const every = new Set(all.map(({ name }) => name));
  const wide = overloads.filter((routine) => {
    const parameterNames = new Set(routine.parameters.map(({ name }) => name));
    return (
      names.every((name) => parameterNames.has(name)) &&
      acceptsNames(
        routine,
        [...every].filter((name) => parameterNames.has(name)),
      )
    );
  });
  const [routine] = wide;
  if (wide.length > 1) throw ambiguousRoutineError(wide);
  if (!routine) throw unknownRoutineError(request.catalog, request, names);
  const parameterNames = new Set(routine.parameters.map(({ name }) => name));
  return { routine, parameters: all.filter(({ name }) => parameterNames.has(name)), takesBody: false };
}

function acceptsNames({ parameters }: Routine, names: readonly string[]): boolean {
  const known = new Set(parameters.map(({ name }) => name));
  const isComplete = parameters.every(({ name, isRequired }) => !isRequired || names.includes(name));
  return isComplete && !known.has('') && names.every((name) => known.has(name));
}

const bodyTypes: Record<CallBody['mediaType'], readonly string[]> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  bytes: ['bytea'],
};

function acceptsBody({ parameters }: Routine, { mediaType }: CallBody): boolean {
  const [only] = parameters;
  return parameters.length === 1 && only?.name === '' && bodyTypes[mediaType].includes(only.typeSql);
}

function unknownRoutineError(
  catalog: Catalog,
  { schema, name, method }: CallRequest,
  candidates: readonly string[],
  body?: CallBody,
): GatewayError {
  const names = shorten(candidates);
  const called = `${schema}.${name}`;
  const list = names.length === 0 ? ' without parameters' : `(${names.join(', ')})`;
  const withNames = names.length === 0 ? 'without parameters' : `with ${count(names)} ${names.join(', ')}`;
  const withBody = body ? ` or with a single unnamed ${bodyTypes[body.mediaType].join('/')} parameter` : '';
  const overloads = catalog.findRoutines(schema, name);
  const nearest = overloads.length === 0 ? catalog.nearestRoutine(schema, name) : undefined;
  const proposals =
    overloads.length > 0
      ? overloads.map(formatRoutine)
      : nearest === undefined
        ? []
        : [`${schema}.${nearest}`];
  return new GatewayError(
    404,
    'PGRST202',
    `Could not find the function ${called}${list} in the schema cache`,
    {
      details:
        `Searched for the function ${called} ${withNames}${method === 'POST' ? withBody : ''}, ` +
        'but no matches were found in the schema cache.',
      hint: proposals.length === 0 ? null : `Perhaps you meant to call ${proposals.join(', or ')}`,
    },
  );
}

/** Shortens names that are repeated in messages. */
const shorten = (names: readonly string[]): readonly string[] => [
  ...names.slice(0, 100).map((each) => truncate(each, 100)),
  ...(names.length > 100 ? ['…'] : []),
];

const count = (names: readonly string[]): string => (names.length === 1 ? 'parameter' : 'parameters');

function ambiguousRoutineError(routines: readonly Routine[]): GatewayError {
  return new GatewayError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${routines.map(formatRoutine).join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

const formatRoutine = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map(formatParameter).join(', ')})`;

const formatParameter = ({ name, typeSql }: RoutineParameter): string =>
  name === '' ? typeSql : `${name} => ${typeSql}`;

type Parameter = Query['others'][number];

const operators: ReadonlySet<string> = new Set([
  ...comparisonOperators,
  ...patternOperators,
  ...rangeOperators,
  ...searchOperators,
  'isdistinct',
  'in',
  'is',
]);

/** Whether a value has the form `[not.]operator[(…)].…`. */
function isOperation(value: string): boolean {
  const start = value.startsWith('not.') ? 4 : 0;
  const word = /^[a-z]{1,20}/.exec(value.slice(start, start + 21))?.[0] ?? '';
  const after = start + word.length;
  if (!operators.has(word)) return false;
  if (value[after] !== '(') return value[after] === '.';
  const end = value.indexOf(')', after);
  return end >= 0 && value[end + 1] === '.' && !value.slice(after + 1, end).includes('(');
}

/** Splits query parameters into those that cannot be filters, and all. */
function separateArguments({ others, root }: Query): {
  readonly candidates: readonly Parameter[];
  readonly all: readonly Parameter[];
} {
  const filtered = new Set(
    root.conditions.flatMap((condition) => (condition.kind === 'test' ? [condition.field.column] : [])),
  );
  const isFilter = ({ name, value }: Parameter): boolean => filtered.has(name) && isOperation(value);
  return { candidates: others.filter((parameter) => !isFilter(parameter)), all: others };
}

/** Removes the filters that are used as arguments. */
export function withoutArguments(query: Query, parameters: readonly Parameter[]): Query {
  const taken = new Set(parameters.filter(({ value }) => isOperation(value)).map(({ name }) => name));
  const conditions = query.root.conditions.filter(
    (condition) => condition.kind !== 'test' || !taken.has(condition.field.column),
  );
  return taken.size === 0 ? query : { ...query, root: { ...query.root, conditions } };
}
