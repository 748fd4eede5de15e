import { planReadCached } from '../../plan/plan-cache.ts';
import { contentTypeOf } from '../../query/headers/formats.ts';
import type { ParsedRequest, Prepared } from '../parsed-request.ts';
import { formatContentRange, statusOfRange } from '../response/content-range.ts';
import { findRelation } from './find-relation.ts';
import { canonicalQuery, pathOf } from '../response/location.ts';

/** Prepares GET and HEAD of a relation. */
export function prepareRead(parsed: ParsedRequest, name: string): Prepared {
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
        status: statusOfRange(range),
        headers: {
          'content-type': contentTypeOf(format),
          'content-range': formatContentRange(range),
          ...locationQueryOf(parsed),
        },
        body: withBody ? body : null,
      };
    },
  };
}

/** Returns the `Content-Location` header. */
export function locationQueryOf({ request }: ParsedRequest): Record<string, string> {
  const { mount, path, query } = request;
  const canonical = canonicalQuery(query);
  return { 'content-location': pathOf(mount, path) + (canonical === '' ? '' : `?${canonical}`) };
}
