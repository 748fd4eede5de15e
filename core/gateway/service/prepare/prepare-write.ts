import { planInsertCached } from '../../plan/plan-cache.ts';
import { planDelete, planPut, planUpdate } from '../../plan/plan-write.ts';
import { contentTypeOf } from '../../query/headers/formats.ts';
import type { Body, Preferences } from '../../query/query.ts';
import type { ParsedRequest, Prepared } from '../parsed-request.ts';
import type { Preference } from '../response/applied-preferences.ts';
import { formatContentRange } from '../response/content-range.ts';
import { findRelation } from './find-relation.ts';
import { pathOf, queryOfKey } from '../response/location.ts';
import type { Outcome } from '../response/outcome.ts';
import type { GatewayResponse } from '../request.ts';

/** Prepares POST of a relation: 201, or 200 if all rows already existed. */
export function prepareInsert(parsed: ParsedRequest, name: string, body: Body): Prepared {
  const relation = findRelation(parsed, name);
  const { request, preferences, query } = parsed;
  const hasKey = relation.primaryKey.length > 0 || query.onConflict !== undefined;
  const merges = hasKey && preferences.resolution === 'merge-duplicates';
  const respond = ({ key, inserted, shown, ...outcome }: Outcome): GatewayResponse => {
    const isTold = preferences.return === 'headers-only' && key !== undefined;
    return toResponse(parsed, outcome, {
      status: merges && (inserted ?? 0) === 0 ? 200 : 201,
      headers: {
        ...(isTold && { location: `${pathOf(request.mount, request.path)}?${queryOfKey(key)}` }),
        'content-range': rangeOfWrite(preferences, shown),
      },
    });
  };
  const plan = planInsertCached({ ...parsed, relation, body });
  return { kind: 'insert', plan, ...expect(parsed), ignored: hasKey ? [] : ['resolution'], respond };
}

/** Prepares PATCH of a relation. */
export function prepareUpdate(parsed: ParsedRequest, name: string, body: Body): Prepared {
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
export function preparePut(parsed: ParsedRequest, name: string, body: Body): Prepared {
  const plan = planPut({ ...parsed, relation: findRelation(parsed, name), body });
  const { expected, ignored } = expect(parsed);
  const respond = ({ inserted, ...outcome }: Outcome): GatewayResponse =>
    toResponse(parsed, outcome, { status: 204, statusOfNew: inserted === 1 ? 201 : 200, headers: {} });
  return { kind: 'put', plan, expected: { ...expected, isPut: true }, ignored, respond };
}

/** Prepares DELETE of a relation. */
export function prepareDelete(parsed: ParsedRequest, name: string): Prepared {
  const plan = planDelete({ ...parsed, relation: findRelation(parsed, name) });
  const respond = ({ shown, ...outcome }: Outcome): GatewayResponse => {
    const headers = { 'content-range': rangeOfWrite(parsed.preferences, shown) };
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
const rangeOfWrite = ({ count }: Preferences, shown: number): string =>
  formatContentRange({ offset: 0, shown: 0, total: count === undefined ? undefined : shown });

interface Wording {
  /** Without a body; with a body, 204 becomes 200. */
  readonly status: number;
  readonly headers: GatewayResponse['headers'];
  /** With a body. */
  readonly statusOfNew?: number;
}

function toResponse(
  { preferences, format }: ParsedRequest,
  { body }: Pick<Outcome, 'body'>,
  { status, headers, statusOfNew }: Wording,
): GatewayResponse {
  if (preferences.return !== 'representation') return { status, headers, body: null };
  return {
    status: statusOfNew ?? (status === 204 ? 200 : status),
    headers: { ...headers, 'content-type': contentTypeOf(format) },
    body: body ?? '',
  };
}
