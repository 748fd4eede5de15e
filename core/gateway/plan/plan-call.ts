import type { Routine, RoutineParameter } from '../catalog/catalog.ts';
import type { ResponseFormat, CallBody } from '../query/query.ts';
import { chooseRoutine, withoutArguments, type SelectedRoutine } from './choose-routine.ts';
import { buildTree } from './embed.ts';
import { outputOptions, type CallPlan, type CallRequest, resultSql } from './request.ts';
import { Aliases, type Node, directSource, ReturnedSource, type Source } from './select-node.ts';
import { type Output, getOutputs } from './select-output.ts';
import { countedSql, isBounded, selectSql } from './select-sql.ts';
import { join, identifier, type Sql, sql, toStatement, catalogSql, bind } from './sql.ts';
import { arrayLiteral, convertTexts, convertValue } from './filter.ts';

/**
 * Plans GET, HEAD and POST of a function. GET, HEAD, and POST of a function that is not VOLATILE are read-only.
 * @throws GatewayError PGRST202 and PGRST203 of the overload choice, and errors of the selection
 */
export function planCall(request: CallRequest): CallPlan {
  const chosen = chooseRoutine(request);
  const { routine } = chosen;
  const { settings, format, method, preferences } = request;
  const query = withoutArguments(request.query, chosen.parameters);
  const isCounted = routine.isSet && preferences.count !== undefined;
  const source = getSource(request, routine, isCounted);
  const called = callSql(request, chosen, getAlias(routine));
  const from = isCounted ? sql`"all" AS ${identifier(source.alias)}` : called;
  const node = buildTree(
    { catalog: request.catalog, aliases: new Aliases(source.alias), maxRows: settings.maxRows },
    { source, from, joins: mayReturnNull(routine) ? [sql`NOT (${source.wholeRow()} IS NULL)`] : [] },
    routine.result === 'composite' && query.select.length > 0 ? query.select : [{ kind: 'all' }],
    [query.root, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = routine.result === 'composite' ? getOutputs(node, options) : [valueOutput(routine)];
  const result = resultSql({
    rows: selectSql(node, outputs, options),
    outputs,
    format: isObject(routine, format) ? { kind: 'object', stripsNulls: format.stripsNulls } : format,
    withBody: method !== 'HEAD' && routine.result !== 'void',
    hasBareValues: routine.result !== 'composite',
    total: isCounted
      ? totalSql(node, countedSql(node, outputs, options))
      : preferences.count && sql`count(*)::text`,
  });
  const all = isCounted ? sql`WITH "all" AS MATERIALIZED (${selectAll(source, called)}) ` : sql``;
  return {
    main: toStatement(sql`${all}${result}`),
    isReadOnly: method !== 'POST' || routine.volatility !== 'volatile',
    routine,
  };
}

/**
 * Whether the result is a single row that may be null, for which PostgreSQL returns a row of nulls. Output parameters
 * are never null as a whole.
 */
const mayReturnNull = ({ isRowType, isSet }: Routine): boolean => isRowType && !isSet;

/** Whether to return a single object or value, because the result is not a set. */
const isObject = (
  { isSet }: Routine,
  format: ResponseFormat,
): format is Extract<ResponseFormat, { kind: 'array' | 'object' }> => !isSet && format.kind === 'array';

/** Returns the alias of the call. A scalar result is named like its function, for filters and orders. */
const getAlias = (routine: Routine): Sql =>
  routine.result === 'composite'
    ? identifier(routine.name)
    : sql`${identifier(routine.name)}(${identifier(routine.name)})`;

function valueOutput(routine: Routine): Output {
  const response = routine.resultRepresentation?.response;
  const stored = identifier(routine.name, routine.name);
  const value = response ? sql`${catalogSql(response.functionSql)}(${stored})` : stored;
  return { name: routine.name, value, isJson: response !== undefined, group: stored };
}

const totalSql = (node: Node, rows: Sql): Sql =>
  isBounded(node) ? sql`(SELECT count(*)::text FROM (${rows}) AS "counted")` : sql`count(*)::text`;

/** Returns the source of the result. With a count, the call is wrapped in a CTE, so that the function runs once. */
function getSource({ catalog }: CallRequest, routine: Routine, isCounted: boolean): Source {
  const { resultRelation, resultColumns } = routine;
  const relation = resultRelation
    ? catalog.findRelation(resultRelation.schema, resultRelation.name)
    : undefined;
  return isCounted && relation
    ? new ReturnedSource(routine.name, relation)
    : directSource(
        routine.name,
        relation,
        relation?.columns ?? (resultColumns.length === 0 ? undefined : resultColumns),
      );
}

function selectAll(source: Source, called: Sql): Sql {
  const returned = source instanceof ReturnedSource ? source.returned(source.alias) : undefined;
  if (!returned) return sql`SELECT ${identifier(source.alias)}.* FROM ${called}`;
  return sql`SELECT ${returned.length === 0 ? sql`1` : join(returned, ', ')} FROM ${called}`;
}

/** Contains a space, so that it cannot conflict with the name of a callable function. */
const bodyAlias = 'given values';

/** Returns the FROM item: the function call with its arguments, under an alias. */
function callSql(request: CallRequest, chosen: SelectedRoutine, alias: Sql): Sql {
  const { routine, takesBody } = chosen;
  const { query } = request;
  const body = request.body && withForm(request.body, routine);
  const [only] = routine.parameters;
  if (takesBody && only && body) {
    return sql`${call(routine, [sql`${bind(body.text)}::${catalogSql(only.typeSql)}`])} AS ${alias}`;
  }
  if (!body) return sql`${call(routine, queryArguments(chosen))} AS ${alias}`;
  const keys = new Set(query.columns ?? body.object?.keys);
  const parameters = routine.parameters.filter((parameter) => keys.has(parameter.name));
  if (parameters.length === 0) return sql`${call(routine, [])} AS ${alias}`;
  const given = parameters.map((parameter) => argument(parameter, bodyValue(parameter)));
  return sql`${bodyRowSql(body, parameters)} CROSS JOIN LATERAL ${call(routine, given)} AS ${alias}`;
}

function call({ schema, name: called, resultTypeSql, result }: Routine, values: readonly Sql[]): Sql {
  const value = sql`${identifier(schema, called)}(${join(values, ', ')})`;
  // In FROM, records with unknown columns require a column list; as a value they do not.
  return resultTypeSql === 'record' && result === 'scalar' ? sql`(SELECT ${value})` : value;
}

const argument = (parameter: RoutineParameter, value: Sql): Sql =>
  sql`${catalogSql(parameter.isVariadic ? 'VARIADIC ' : '')}${identifier(parameter.name)} := ${value}`;

/**
 * Returns query string arguments, converted like filter values. The last of several values wins, except for VARIADIC.
 */
function queryArguments({ routine, parameters }: SelectedRoutine): readonly Sql[] {
  return routine.parameters.flatMap((parameter) => {
    const values = parameters.filter((one) => one.name === parameter.name).map(({ value }) => value);
    const last = values.at(-1);
    if (last === undefined) return [];
    const { isVariadic, representation, typeSql } = parameter;
    const conversion = representation?.filter;
    if (!conversion) {
      const text = bind(isVariadic ? arrayLiteral(values) : last);
      return [argument(parameter, sql`${text}::${catalogSql(typeSql)}`)];
    }
    const value = isVariadic ? convertTexts(conversion, values) : convertValue(conversion, bind(last));
    return [argument(parameter, value)];
  });
}

/** Returns body values, converted like stored values. */
function bodyValue({ name: key, representation, isVariadic }: RoutineParameter): Sql {
  const given = identifier(bodyAlias, key);
  const conversion = representation?.body;
  if (!conversion) return given;
  const convert = (json: Sql): Sql =>
    sql`${catalogSql(conversion.functionSql)}(${json}::${catalogSql(conversion.argumentTypeSql)})`;
  if (!isVariadic) return convert(given);
  // JSON null is null for a conversion, as in a column.
  const each = convert(sql`nullif("one"."json"::text, 'null')::json`);
  return sql`CASE WHEN ${given} IS NOT NULL THEN ARRAY(SELECT ${each} FROM json_array_elements(${given}) AS "one"("json")) END`;
}

/** Returns the body with form fields. The last of several values wins, except for VARIADIC. */
function withForm(body: CallBody, { parameters }: Routine): CallBody {
  const { form, object } = body;
  const variadic = parameters.find(({ isVariadic }) => isVariadic)?.name;
  if (!form || !object || variadic === undefined || !object.keys.includes(variadic)) return body;
  const values = form.filter((field) => field.name === variadic).map(({ value }) => value);
  const fields = new Map<string, string | readonly string[]>(form.map((field) => [field.name, field.value]));
  const json = JSON.stringify(Object.fromEntries(fields.set(variadic, values)));
  return { ...body, object: { ...object, json } };
}

/** Returns the body as one row; the first of several objects is used. */
function bodyRowSql({ object: given }: CallBody, parameters: readonly RoutineParameter[]): Sql {
  const json = sql`${bind(given?.json ?? null)}::json`;
  const object = given?.isArray === true ? sql`${json} -> 0` : json;
  const list = parameters.map(({ name: key, typeSql, representation }) => {
    const type = representation?.body ? 'json' : typeSql;
    return sql`${identifier(key)} ${catalogSql(type)}`;
  });
  return sql`json_to_record(${object}) AS ${identifier(bodyAlias)}(${join(list, ', ')})`;
}
