import type { JsonObject } from '../../base/json.ts';
import type {
  Catalog,
  Column,
  Relation,
  Relationship,
  Routine,
  RoutineParameter,
} from '../catalog/catalog.ts';
import { type RelationAccess, type SchemaAccess, toColumnSchema, typeSchema } from './column-schema.ts';

/** Input of an OpenAPI description. */
export interface DescribedSchema {
  readonly catalog: Catalog;
  readonly schema: string;
  /** Privileges of the requesting role. */
  readonly access: SchemaAccess;
  /** Path prefix: `/gateway`. */
  readonly mount: string;
}

/** The described part of the catalog. */
interface DescribedCatalog {
  readonly relation: Relation;
  readonly columns: readonly Column[];
  readonly access: RelationAccess;
}

const mediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];

/** Returns an OpenAPI 2.0 document of the objects in a schema that a role may use, in PostgREST's form. */
export function buildOpenApi({ catalog, schema, access, mount }: DescribedSchema): JsonObject {
  const [title, ...description] = (access.comment ?? '').split('\n');
  const described = catalog.relations.flatMap((relation): DescribedCatalog[] => {
    const rights = Object.hasOwn(access.relations, relation.name)
      ? access.relations[relation.name]
      : undefined;
    if (relation.schema !== schema || rights === undefined) return [];
    const columns = relation.columns.filter(({ name }) => rights.columns.includes(name));
    return [{ relation, columns, access: rights }];
  });
  const routines = Map.groupBy(
    catalog.routines.filter((routine) => routine.schema === schema && access.routines.includes(routine.name)),
    ({ name }) => name,
  );
  return {
    swagger: '2.0',
    info: {
      title: title === '' ? `The schema ${schema}` : title!,
      ...(description.length > 0 && { description: description.join('\n').trim() }),
      version: catalog.serverVersion,
    },
    basePath: mount === '' ? '/' : mount,
    consumes: [...mediaTypes],
    produces: [...mediaTypes],
    definitions: collect(described, (one) => [[one.relation.name, defineRows(one, catalog)]]),
    parameters: {
      ...sharedParameters,
      ...collect(described, (one) => Object.entries(getParameters(one.relation, one.columns))),
    },
    paths: {
      '/': introspection,
      ...collect(described, (one) => [
        [`/${one.relation.name}`, toPathItem(one.relation, one.columns, one.access)],
      ]),
      ...collect([...routines], ([name, overloads]) => [[`/rpc/${name}`, toRoutinePath(name, overloads)]]),
    },
  };
}

const introspection: JsonObject = {
  get: {
    tags: ['Introspection'],
    summary: 'This document',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

function defineRows({ relation, columns }: DescribedCatalog, catalog: Catalog): JsonObject {
  const required = columns.filter(({ isNullable }) => !isNullable).map(({ name }) => name);
  const all = catalog.relationshipsFrom(relation);
  const pointsToView = ({ to }: Relationship): boolean =>
    catalog.findRelation(to.schema, to.name)?.kind.endsWith('view') === true;
  const toTables = new Set(all.filter((way) => !pointsToView(way)).map(({ constraint }) => constraint));
  // A foreign key is described by its table; by views only if the table is not exposed.
  const ways = all.filter((way) => !pointsToView(way) || !toTables.has(way.constraint));
  return {
    type: 'object',
    ...(relation.comment !== null && { description: relation.comment }),
    ...(required.length > 0 && { required }),
    properties: collect(columns, (column) => [[column.name, toColumnSchema(column, relation, ways)]]),
  };
}

/** Builds an object from the entries of each item. Unlike assignment, this supports the key `__proto__`. */
const collect = <One>(
  all: readonly One[],
  getEntries: (one: One) => readonly (readonly [string, unknown])[],
): JsonObject => Object.fromEntries(all.flatMap(getEntries)) as JsonObject;

/** Describes the path of a relation, with the methods that the relation and the role's privileges allow. */
function toPathItem(relation: Relation, columns: readonly Column[], access: RelationAccess): JsonObject {
  const [summary, ...rest] = (relation.comment ?? '').split('\n');
  const about = {
    tags: [relation.name],
    ...(summary !== '' && { summary }),
    ...(rest.length > 0 && { description: rest.join('\n').trim() }),
  };
  const filters = shared(...columns.map(({ name }) => filterKey(relation.name, name)));
  const body = shared(`body.${relation.name}`);
  const rows = { type: 'array', items: { $ref: jsonPointerTo('definitions', relation.name) } };
  const paging = shared('select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount');
  const changed = { 200: { description: 'OK', schema: rows }, 204: { description: 'No Content' } };
  return {
    ...(access.canSelect && {
      get: {
        ...about,
        parameters: [...filters, ...paging],
        responses: {
          200: { description: 'OK', schema: rows },
          206: { description: 'Partial Content', schema: rows },
        },
      },
    }),
    ...(relation.isInsertable &&
      access.canInsert && {
        post: {
          ...about,
          parameters: [...body, ...shared('select', 'on_conflict', 'preferPost')],
          responses: { 201: { description: 'Created' } },
        },
      }),
    ...(relation.isUpdatable &&
      access.canUpdate && {
        patch: { ...about, parameters: [...filters, ...body, ...shared('preferReturn')], responses: changed },
      }),
    ...(relation.isDeletable &&
      access.canDelete && {
        delete: { ...about, parameters: [...filters, ...shared('preferReturn')], responses: changed },
      }),
  };
}

/** Describes the path of a function. Overloads are merged. */
function toRoutinePath(name: string, overloads: readonly Routine[]): JsonObject {
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
  const post = { ...about, parameters: [getBody(named, isRequired)] };
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

function getBody(
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

const queryText = (name: string, description: string): JsonObject => ({
  name,
  in: 'query',
  required: false,
  type: 'string',
  description,
});

const headerText = (name: string, description: string, defaultValue?: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  type: 'string',
  description,
  ...(defaultValue !== undefined && { default: defaultValue }),
});

const prefer = (...values: readonly string[]): JsonObject => ({
  name: 'Prefer',
  in: 'header',
  required: false,
  type: 'string',
  description: 'Preference',
  enum: [...values],
});

const returns = ['return=representation', 'return=minimal', 'return=headers-only'];

/** Parameters that all relations share, with PostgREST's names. */
const sharedParameters: JsonObject = {
  preferReturn: prefer(...returns),
  preferCount: prefer('count=exact', 'count=planned', 'count=estimated'),
  preferPost: prefer(...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates'),
  select: queryText('select', 'Columns and related resources'),
  on_conflict: queryText('on_conflict', 'Columns of the unique key for conflict resolution'),
  order: queryText('order', 'Ordering'),
  range: headerText('Range', 'First and last row'),
  rangeUnit: headerText('Range-Unit', 'Unit of the range', 'items'),
  offset: queryText('offset', 'Number of rows to skip'),
  limit: queryText('limit', 'Maximum number of rows'),
};

/** Returns the parameters of a relation: its rows as a body, and a filter per column. */
function getParameters(relation: Relation, columns: readonly Column[]): JsonObject {
  const { name } = relation;
  const filters = columns.map((column) => [
    filterKey(name, column.name),
    { ...queryText(column.name, column.comment ?? ''), format: column.typeSql },
  ]);
  return {
    [`body.${name}`]: {
      name,
      in: 'body',
      required: false,
      description: relation.comment ?? name,
      schema: { $ref: jsonPointerTo('definitions', name) },
    },
    ...(Object.fromEntries(filters) as JsonObject),
  };
}

const filterKey = (relation: string, column: string): string => `rowFilter.${relation}.${column}`;

/** Returns an escaped JSON pointer into the document. */
const jsonPointerTo = (part: 'definitions' | 'parameters', name: string): string =>
  `#/${part}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;

const shared = (...names: readonly string[]): JsonObject[] =>
  names.map((name) => ({ $ref: jsonPointerTo('parameters', name) }));
