import { planReadOnce } from '../../plan/plan-cache.ts';
import { contentTypeOf } from '../../query/headers/formats.ts';
import type { ParsedRequest, Prepared } from '../parsed-request.ts';
import { formatContentRange, statusOfRange } from '../response/content-range.ts';
import { findRelation } from './find-relation.ts';
import { canonicalQuery, pathOf } from '../response/location.ts';

/** Prepares GET and HEAD of a relation. */
export function prepareRead(asked: ParsedRequest, name: string): Prepared {
  const { request, query, format } = asked;
  const withBody = request.method === 'GET';
  return {
    kind: 'read',
    plan: planReadOnce({ ...asked, relation: findRelation(asked, name), withBody }),
    expected: { isSingular: format.kind === 'object', isPut: false },
    ignored: [],
    respond({ body, shown, total }) {
      const range = { offset: query.root.offset ?? 0, shown, total };
      return {
        status: statusOfRange(range),
        headers: {
          'content-type': contentTypeOf(format),
          'content-range': formatContentRange(range),
          ...placeOf(asked),
        },
        body: withBody ? body : null,
      };
    },
  };
}

/** Returns the `Content-Location` header. */
export function placeOf({ request }: ParsedRequest): Record<string, string> {
  const { mount, path, query } = request;
  const canonical = canonicalQuery(query);
  return { 'content-location': pathOf(mount, path) + (canonical === '' ? '' : `?${canonical}`) };
}
