import { errorCodes, type ErrorCode } from '../../base/error-codes.ts';
import type { JsonObject } from '../../base/json.ts';
import { refer } from './openapi-schemas.ts';

/** A reply of each code, to be referred to. */
export const describeExamples = (): JsonObject =>
  Object.fromEntries(
    Object.entries(errorCodes).map(([code, { meaning }]) => [
      code,
      { summary: meaning, value: { code, message: exampleMessages[code as ErrorCode] ?? meaning } },
    ]),
  );

/** What such a refusal says in a case of its own, where the general sentence would be an odd message. */
const exampleMessages: Partial<Record<ErrorCode, string>> = {
  bad_request: 'limit: must be at most 1000, not 5000',
  not_found: 'There is no run "nightly-7" of "sales-etl"',
  already_exists: 'There is a run "nightly-7" of "sales-etl" already',
  max_run_reached: '"sales-etl" has 1 active run, and its maxActiveRuns is 1',
};

/** One entry for each HTTP status; several codes may share one. */
export function describeRefusals({
  errors,
  public: isPublic,
}: {
  readonly errors: readonly ErrorCode[];
  readonly public?: true;
}): JsonObject {
  const byAll: readonly ErrorCode[] = ['bad_request', 'forbidden', 'internal_error', 'unavailable'];
  const always: readonly ErrorCode[] = isPublic ? byAll : ['unauthorized', ...byAll];
  const expected = [...new Set([...always, ...errors])];
  const byStatus: Record<string, JsonObject> = {};
  for (const status of new Set(expected.map((code) => errorCodes[code].http))) {
    const codes = expected.filter((code) => errorCodes[code].http === status);
    byStatus[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
      content: {
        'application/json': {
          schema: refer('ErrorBody'),
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
  }
  return byStatus;
}
