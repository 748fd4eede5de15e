import type { Routine } from '../catalog/catalog.ts';
import { callSql } from './call/call-sql.ts';
import { chooseRoutine } from './call/choose-routine.ts';
import { withoutArguments } from './call/split-parameters.ts';
import { buildTree } from './embed/build-tree.ts';
import { outputOptions } from './output-options.ts';
import type { ResponseFormat } from '../query/query.ts';
import type { CallPlan, CallRequest } from './request.ts';
import { resultSql } from './result/result-sql.ts';
import { Aliases } from './select/aliases.ts';
import type { Node } from './select/node.ts';
import { type Output, outputsOf } from './select/output.ts';
import { countedSql, isBounded, selectSql } from './select/select-sql.ts';
import { directSource, ReturnedSource, type Source } from './select/source.ts';
import { join, name, type Sql, sql, toStatement, catalogSql } from './sql.ts';

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
  const source = sourceOf(request, routine, isCounted);
  const called = callSql(request, chosen, aliasOf(routine));
  const from = isCounted ? sql`"all" AS ${name(source.alias)}` : called;
  const node = buildTree(
    { catalog: request.catalog, aliases: new Aliases(source.alias), maxRows: settings.maxRows },
    { source, from, joins: mayReturnNull(routine) ? [sql`NOT (${source.wholeRow()} IS NULL)`] : [] },
    routine.result === 'composite' && query.select.length > 0 ? query.select : [{ kind: 'all' }],
    [query.root, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = routine.result === 'composite' ? outputsOf(node, options) : [valueOutput(routine)];
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
  const all = isCounted ? sql`WITH "all" AS MATERIALIZED (${allOf(source, called)}) ` : sql``;
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
const aliasOf = (routine: Routine): Sql =>
  routine.result === 'composite' ? name(routine.name) : sql`${name(routine.name)}(${name(routine.name)})`;

function valueOutput(routine: Routine): Output {
  const response = routine.resultRepresentation?.response;
  const stored = name(routine.name, routine.name);
  const value = response ? sql`${catalogSql(response.functionSql)}(${stored})` : stored;
  return { name: routine.name, value, isJson: response !== undefined, group: stored };
}

const totalSql = (node: Node, rows: Sql): Sql =>
  isBounded(node) ? sql`(SELECT count(*)::text FROM (${rows}) AS "counted")` : sql`count(*)::text`;

/** Returns the source of the result. With a count, the call is wrapped in a CTE, so that the function runs once. */
function sourceOf({ catalog }: CallRequest, routine: Routine, isCounted: boolean): Source {
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

function allOf(source: Source, called: Sql): Sql {
  const returned = source instanceof ReturnedSource ? source.returned(source.alias) : undefined;
  if (!returned) return sql`SELECT ${name(source.alias)}.* FROM ${called}`;
  return sql`SELECT ${returned.length === 0 ? sql`1` : join(returned, ', ')} FROM ${called}`;
}
