import type { BodyReader } from '../query/body-reader.ts';
import type { Catalog, Relation } from '../catalog/catalog.ts';
import { GatewayError } from '../gateway-error.ts';
import { planReadCached, planInsertCached } from '../plan/plan-read.ts';
import { getContentType } from '../query/headers.ts';
import { planCall } from '../plan/plan-call.ts';
import { planDelete, planPut, planUpdate } from '../plan/plan-write.ts';
import type { Body, Preferences, CallBody } from '../query/query.ts';
import type { ParsedRequest, Prepared, Target } from './parse-request.ts';
import {
  formatContentRange,
  getRangeStatus,
  canonicalQuery,
  toPath,
  type Preference,
  getKeyQuery,
  type Outcome,
} from './response.ts';
import type { GatewayResponse } from './gateway-service.ts';

/**
 * Plans a request.
 * @throws GatewayError for a missing object, missing permission, or invalid request
 */
export async function prepare(
  parsed: ParsedRequest,
  { kind, name }: Exclude<Target, { readonly kind: 'root' }>,
  bodies: BodyReader,
): Promise<Prepared> {
  const { method, headers, body: bytes } = parsed.request;
  const { columns } = parsed.query;
  const job = { bytes, columns, contentType: headers['content-type'] };
  if (kind === 'routine') {
    return prepareCall(parsed, name, method === 'POST' ? await bodies.readCallBody(job) : undefined);
  }
  if (method === 'GET' || method === 'HEAD') return prepareRead(parsed, name);
  if (method === 'DELETE') return prepareDelete(parsed, name);
  const body = await bodies.readBody(job);
  if (method === 'POST') return prepareInsert(parsed, name, body);
  return method === 'PUT' ? preparePut(parsed, name, body) : prepareUpdate(parsed, name, body);
}

/**
 * Returns the relation of a path.
 * @throws GatewayError PGRST205 with the closest known name
 */
export function findRelation(
  { catalog, schema }: { readonly catalog: Catalog; readonly schema: string },
  name: string,
): Relation {
  const relation = catalog.findRelation(schema, name);
  if (relation) return relation;
  const nearest = catalog.nearestRelation(schema, name);
  throw new GatewayError(
    404,
    'PGRST205',
    `Could not find the table '${schema}.${name}' in the schema cache`,
    {
      hint:
        nearest === undefined
          ? hintForUnknownSchema(catalog, schema)
          : `Perhaps you meant the table '${schema}.${nearest}'`,
    },
  );
}

/** Returns a hint if there is no similar name. A schema without tables may be misspelled in the configuration. */
const hintForUnknownSchema = ({ relations }: Catalog, schema: string): string =>
  relations.some((relation) => relation.schema === schema)
    ? 'New tables are available after a reload of the schema cache.'
    : `The schema '${schema}' has no readable tables: create a table and reload the schema cache, or fix gateway.schemas.`;

/** Prepares GET and HEAD of a relation. */
function prepareRead(parsed: ParsedRequest, name: string): Prepared {
  const { request, query, format } = parsed;
  const withBody = request.method === 'GET';
  return {
    kind: 'read',
    plan: planReadCached({ ...parsed, relation: findRelation(parsed, name), withBody }),
    expected: { isSingular: format.kind === 'object', isPut: false },
    ignored: [],
    respond({ body, shown, total }) {
      const range = { offset: query.root.offset ?? 0, shown, total };
      return {
        status: getRangeStatus(range),
        headers: {
          'content-type': getContentType(format),
          'content-range': formatContentRange(range),
          ...getLocationQuery(parsed),
        },
        body: withBody ? body : null,
      };
    },
  };
}

/** Returns the `Content-Location` header. */
export function getLocationQuery({ request }: ParsedRequest): Record<string, string> {
  const { mount, path, query } = request;
  const canonical = canonicalQuery(query);
  return { 'content-location': toPath(mount, path) + (canonical === '' ? '' : `?${canonical}`) };
}

/** Prepares a function call: rows are returned like those of a relation, `void` results in 204. */
function prepareCall(parsed: ParsedRequest, name: string, body?: CallBody): Prepared {
  const { request, schema, query, format, preferences } = parsed;
  const method = request.method as 'GET' | 'HEAD' | 'POST';
  const plan = planCall({ ...parsed, schema, name, method, ...(body && { body }) });
  const isStrict = preferences.handling === 'strict';
  const { isSet, result } = plan.routine;
  if (isStrict && preferences.maxAffected !== undefined && !isSet)
    throw new GatewayError(400, 'PGRST128', 'max-affected requires a function that returns a set');
  return {
    kind: 'call',
    plan,
    expected: {
      isSingular: format.kind === 'object' && isSet,
      isPut: false,
      maxAffected: isStrict ? preferences.maxAffected : undefined,
    },
    ignored: isStrict ? [] : ['maxAffected'],
    respond({ body: text, shown, total }): GatewayResponse {
      if (result === 'void') return { status: 204, headers: {}, body: null };
      const range = { offset: query.root.offset ?? 0, shown, total };
      return {
        status: getRangeStatus(range),
        headers: { 'content-type': getContentType(format), 'content-range': formatContentRange(range) },
        body: method === 'HEAD' ? null : text,
      };
    },
  };
}

/** Prepares POST of a relation: 201, or 200 if all rows already existed. */
function prepareInsert(parsed: ParsedRequest, name: string, body: Body): Prepared {
  const relation = findRelation(parsed, name);
  const { request, preferences, query } = parsed;
  const hasKey = relation.primaryKey.length > 0 || query.onConflict !== undefined;
  const merges = hasKey && preferences.resolution === 'merge-duplicates';
  const respond = ({ key, inserted, shown, ...outcome }: Outcome): GatewayResponse => {
    const isTold = preferences.return === 'headers-only' && key !== undefined;
    return toResponse(parsed, outcome, {
      status: merges && (inserted ?? 0) === 0 ? 200 : 201,
      headers: {
        ...(isTold && { location: `${toPath(request.mount, request.path)}?${getKeyQuery(key)}` }),
        'content-range': getWriteRange(preferences, shown),
      },
    });
  };
  const plan = planInsertCached({ ...parsed, relation, body });
  return { kind: 'insert', plan, ...expect(parsed), ignored: hasKey ? [] : ['resolution'], respond };
}

/** Prepares PATCH of a relation. */
function prepareUpdate(parsed: ParsedRequest, name: string, body: Body): Prepared {
  const plan = planUpdate({ ...parsed, relation: findRelation(parsed, name), body });
  const { preferences } = parsed;
  const respond = ({ shown, ...outcome }: Outcome): GatewayResponse => {
    const total = preferences.count === undefined ? undefined : shown;
    const range = formatContentRange({ offset: 0, shown, total });
    return toResponse(parsed, outcome, { status: 204, headers: { 'content-range': range } });
  };
  return { kind: 'update', plan, ...expect(parsed), respond };
}

/** Prepares PUT of a relation. */
function preparePut(parsed: ParsedRequest, name: string, body: Body): Prepared {
  const plan = planPut({ ...parsed, relation: findRelation(parsed, name), body });
  const { expected, ignored } = expect(parsed);
  const respond = ({ inserted, ...outcome }: Outcome): GatewayResponse =>
    toResponse(parsed, outcome, { status: 204, createdStatus: inserted === 1 ? 201 : 200, headers: {} });
  return { kind: 'put', plan, expected: { ...expected, isPut: true }, ignored, respond };
}

/** Prepares DELETE of a relation. */
function prepareDelete(parsed: ParsedRequest, name: string): Prepared {
  const plan = planDelete({ ...parsed, relation: findRelation(parsed, name) });
  const respond = ({ shown, ...outcome }: Outcome): GatewayResponse => {
    const headers = { 'content-range': getWriteRange(parsed.preferences, shown) };
    return toResponse(parsed, outcome, { status: 204, headers });
  };
  return { kind: 'delete', plan, ...expect(parsed), respond };
}

/** Returns the expectations. `max-affected` is enforced only with strict handling. */
function expect({ format, preferences }: ParsedRequest): Pick<Prepared, 'expected' | 'ignored'> {
  const isStrict = preferences.handling === 'strict';
  const ignored: readonly Preference[] = isStrict ? [] : ['maxAffected'];
  const maxAffected = isStrict ? preferences.maxAffected : undefined;
  return { expected: { isSingular: format.kind === 'object', isPut: false, maxAffected }, ignored };
}

/** Returns the content range of a write, which has no row range. */
const getWriteRange = ({ count }: Preferences, shown: number): string =>
  formatContentRange({ offset: 0, shown: 0, total: count === undefined ? undefined : shown });

interface Wording {
  /** Without a body; with a body, 204 becomes 200. */
  readonly status: number;
  readonly headers: GatewayResponse['headers'];
  /** With a body. */
  readonly createdStatus?: number;
}

function toResponse(
  { preferences, format }: ParsedRequest,
  { body }: Pick<Outcome, 'body'>,
  { status, headers, createdStatus }: Wording,
): GatewayResponse {
  if (preferences.return !== 'representation') return { status, headers, body: null };
  return {
    status: createdStatus ?? (status === 204 ? 200 : status),
    headers: { ...headers, 'content-type': getContentType(format) },
    body: body ?? '',
  };
}
