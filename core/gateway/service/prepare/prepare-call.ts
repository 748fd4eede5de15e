import { GatewayError } from '../../gateway-error.ts';
import { planCall } from '../../plan/plan-call.ts';
import type { CallBody } from '../../plan/request.ts';
import { contentTypeOf } from '../../query/headers/formats.ts';
import type { ParsedRequest, Prepared } from '../parsed-request.ts';
import { formatContentRange, statusOfRange } from '../response/content-range.ts';
import type { GatewayResponse } from '../request.ts';

/** Prepares a function call: rows are returned like those of a relation, `void` results in 204. */
export function prepareCall(parsed: ParsedRequest, name: string, body?: CallBody): Prepared {
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
        status: statusOfRange(range),
        headers: { 'content-type': contentTypeOf(format), 'content-range': formatContentRange(range) },
        body: method === 'HEAD' ? null : text,
      };
    },
  };
}
