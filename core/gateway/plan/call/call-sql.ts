import type { Routine, RoutineParameter } from '../../catalog/catalog.ts';
import { arrayLiteral, convertTexts, convertValue } from '../filter/conversion.ts';
import type { CallBody, CallRequest } from '../request.ts';
import { bind, join, name, type Sql, sql, catalogSql } from '../sql.ts';
import type { SelectedRoutine } from './choose-routine.ts';

/** Contains a space, so that it cannot conflict with the name of a callable function. */
const bodyAlias = 'given values';

/** Returns the FROM item: the function call with its arguments, under an alias. */
export function callSql(request: CallRequest, chosen: SelectedRoutine, alias: Sql): Sql {
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
  const value = sql`${name(schema, called)}(${join(values, ', ')})`;
  // In FROM, records with unknown columns require a column list; as a value they do not.
  return resultTypeSql === 'record' && result === 'scalar' ? sql`(SELECT ${value})` : value;
}

const argument = (parameter: RoutineParameter, value: Sql): Sql =>
  sql`${catalogSql(parameter.isVariadic ? 'VARIADIC ' : '')}${name(parameter.name)} := ${value}`;

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
  const given = name(bodyAlias, key);
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
    return sql`${name(key)} ${catalogSql(type)}`;
  });
  return sql`json_to_record(${object}) AS ${name(bodyAlias)}(${join(list, ', ')})`;
}
