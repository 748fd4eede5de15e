import type { Routine } from '../catalog/catalog.ts';
import { callSql } from './call/call-sql.ts';
import { chooseRoutine, type Chosen } from './call/choose-routine.ts';
import { withoutArguments } from './call/split-parameters.ts';
import { buildTree, type Ground } from './embed/build-tree.ts';
import { outputOptions } from './output-options.ts';
import type { CallPlan, CallRequest } from './request.ts';
import { resultSql } from './result/result-sql.ts';
import { Aliases } from './select/aliases.ts';
import { type Output, outputsOf } from './select/output.ts';
import { boundsSql, countedSql, isBounded, selectSql } from './select/select-sql.ts';
import { directSource, ReturnedSource, type Source } from './select/source.ts';
import { join, name, type Sql, sql, toStatement, trusted } from './sql.ts';

/**
 * GET, HEAD and POST of a function. GET and HEAD only read, and so does POST of a function that is not VOLATILE.
 * @throws GatewayError PGRST202 and PGRST203 of the choice, and for what is wrong with what is to be shown
 */
export function planCall(request: CallRequest): CallPlan {
  const chosen = chooseRoutine(request);
  const { routine } = chosen;
  const narrowed = { ...request, query: withoutArguments(request.query, chosen.parameters) };
  const main = routine.result === 'composite' ? rowsResult(narrowed, chosen) : valuesResult(narrowed, chosen);
  return {
    main: toStatement(main),
    isReadOnly: request.method !== 'POST' || routine.volatility !== 'volatile',
    routine,
  };
}

/** One value, several, or nothing. */
function valuesResult(request: CallRequest, chosen: Chosen): Sql {
  const { routine } = chosen;
  const { format, method, preferences, settings, query } = request;
  const called = callSql(request, chosen, sql`"called"("value")`);
  const response = routine.resultRepresentation?.response;
  const value = response ? sql`${trusted(response.functionSql)}("called"."value")` : sql`"called"."value"`;
  const outputs: readonly Output[] = [
    { name: routine.name, value, isJson: response !== undefined, group: value },
  ];
  const bounds = routine.isSet ? boundsSql({ level: query.root, maxRows: settings.maxRows }) : sql``;
  const isCounted = routine.isSet && preferences.count !== undefined;
  const column = sql`${value} AS "value"`;
  const rows = sql`SELECT ${column} FROM ${called}${bounds}`;
  const all = sql`"all" AS MATERIALIZED (SELECT ${column} FROM ${called})`;
  const result = resultSql({
    rows: isCounted ? sql`SELECT * FROM "all"${bounds}` : rows,
    outputs,
    format,
    withBody: method !== 'HEAD' && routine.result !== 'void',
    values: routine.isSet ? 'many' : 'one',
    total: isCounted ? sql`(SELECT count(*)::text FROM "all")` : undefined,
  });
  return isCounted ? sql`WITH ${all} ${result}` : result;
}

/** Rows, of a relation or of their own. */
function rowsResult(request: CallRequest, chosen: Chosen): Sql {
  const { routine } = chosen;
  const { catalog, format, method, preferences, settings, query } = request;
  const isCounted = routine.isSet && preferences.count !== undefined;
  const source = sourceOf(request, routine, isCounted);
  const called = callSql(request, chosen, name(source.alias));
  const from = isCounted ? sql`"all" AS ${name(source.alias)}` : called;
  const ground: Ground = { source, from, joins: [] };
  const node = buildTree(
    { catalog, aliases: new Aliases(source.alias), maxRows: settings.maxRows },
    ground,
    query.select.length === 0 ? [{ kind: 'all' }] : query.select,
    [query.root, query.embedded],
  );
  const options = outputOptions(request);
  const outputs = outputsOf(node, options);
  const rows = countedSql(node, outputs, options);
  const result = resultSql({
    rows: selectSql(node, outputs, options),
    outputs,
    format: routine.isSet || format.kind !== 'array' ? format : { ...format, kind: 'object' },
    withBody: method !== 'HEAD',
    total: isCounted
      ? isBounded(node)
        ? sql`(SELECT count(*)::text FROM (${rows}) AS "counted")`
        : sql`count(*)::text`
      : undefined,
  });
  return isCounted ? sql`WITH "all" AS MATERIALIZED (${allOf(source, called)}) ${result}` : result;
}

/** The function is called once: what is counted goes through a CTE. */
function sourceOf({ catalog }: CallRequest, routine: Routine, isCounted: boolean): Source {
  const { resultRelation } = routine;
  const relation = resultRelation
    ? catalog.findRelation(resultRelation.schema, resultRelation.name)
    : undefined;
  return isCounted && relation
    ? new ReturnedSource(routine.name, relation)
    : directSource(routine.name, relation);
}

function allOf(source: Source, called: Sql): Sql {
  const returned = source instanceof ReturnedSource ? source.returned(source.alias) : undefined;
  if (!returned) return sql`SELECT ${name(source.alias)}.* FROM ${called}`;
  return sql`SELECT ${returned.length === 0 ? sql`1` : join(returned, ', ')} FROM ${called}`;
}
