import type { JsonObject } from '../../base/json.ts';
import type { Routine, RoutineParameter } from '../catalog/catalog.ts';
import { typeSchema } from './column-schema.ts';

/** Describes the path of a function. Overloads are merged. */
export function describeRoutine(name: string, overloads: readonly Routine[]): JsonObject {
  const [first] = overloads;
  const [summary, ...rest] = (first?.comment ?? '').split('\n');
  const about = {
    tags: [`(rpc) ${name}`],
    ...(summary !== '' && { summary }),
    ...(rest.length > 0 && { description: rest.join('\n').trim() }),
    produces: ['application/json', 'application/vnd.pgrst.object+json'],
    responses: { 200: { description: 'OK' } },
  };
  // An unnamed argument can only be a body.
  const canRead = overloads.some(
    ({ volatility, parameters }) =>
      volatility !== 'volatile' && parameters.every((parameter) => parameter.name !== ''),
  );
  const all = new Map(overloads.flatMap(({ parameters }) => parameters).map((one) => [one.name, one]));
  const isRequired = (parameter: RoutineParameter): boolean =>
    overloads.every(({ parameters }) =>
      parameters.some((one) => one.name === parameter.name && one.isRequired),
    );
  const named = [...all.values()].filter((parameter) => parameter.name !== '');
  const post = { ...about, parameters: [bodyOf(named, isRequired)] };
  if (!canRead) return { post };
  return { get: { ...about, parameters: named.map((one) => inQuery(one, isRequired(one))) }, post };
}

const inQuery = ({ name, typeSql, isVariadic }: RoutineParameter, required: boolean): JsonObject => {
  const { format = '', type = 'string', items } = typeSchema(typeSql);
  const isList = isVariadic && type === 'array';
  return {
    name,
    in: 'query',
    required: required && !isVariadic,
    format,
    ...(isList
      ? { type, items: items ?? { type: 'string' }, collectionFormat: 'multi' }
      : { type: toTextType(type) }),
  };
};

/** Arrays that are not VARIADIC are written as PostgreSQL array literals. */
const toTextType = (type: unknown): string => (type === 'array' ? 'string' : String(type));

function bodyOf(
  parameters: readonly RoutineParameter[],
  isRequired: (parameter: RoutineParameter) => boolean,
): JsonObject {
  const required = parameters.filter(isRequired).map(({ name }) => name);
  const properties = parameters.map(({ name, typeSql }) => [name, typeSchema(typeSql)]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonObject,
    ...(required.length > 0 && { required }),
  };
  return { name: 'args', in: 'body', required: required.length > 0, schema };
}
