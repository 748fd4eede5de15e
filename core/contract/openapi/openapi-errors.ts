import { errorCodes, type ErrorCode } from '../../base/error-codes.ts';
import type { JsonObject } from '../../base/json.ts';
import { sendsInputInQuery } from '../transport/http-wire.ts';
import { refTo } from './openapi-schemas.ts';

/** Returns an example error body for each code that the responses refer to. */
export const describeExamples = (sources: readonly ErrorSource[]): JsonObject =>
  Object.fromEntries(
    [...new Set(sources.flatMap(listErrors).flatMap(([, codes]) => codes))].map((code) => {
      const { meaning } = errorCodes[code];
      return [code, { summary: meaning, value: { code, message: exampleMessages[code] ?? meaning } }];
    }),
  );

/** Messages for cases in which the general message of a code would be misleading. */
const exampleMessages: Partial<Record<ErrorCode, string>> = {
  bad_request: 'limit: must be at most 1000, not 5000',
  not_found: 'Run "nightly-7" of "sales-etl" not found.',
  already_exists: 'Run "nightly-7" of "sales-etl" already exists.',
  max_run_reached: '"sales-etl" has 1 active or queued run, and its maxActiveRuns is 1.',
};

/** An operation or a stream with its errors. */
interface ErrorSource {
  readonly errors: readonly ErrorCode[];
  readonly public?: true;
  /** Absent for streams. */
  readonly method?: string;
}

/** Returns one entry per HTTP status, with a reference to the response that all errors with the same codes share. */
export const describeErrors = (source: ErrorSource): JsonObject =>
  Object.fromEntries(
    listErrors(source).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${replyName(codes)}` },
    ]),
  );

/** Returns the responses that the entries refer to, by name, for `components.responses`. */
export const describeReplies = (sources: readonly ErrorSource[]): JsonObject =>
  Object.fromEntries(
    sources.flatMap(listErrors).map(([, codes]) => [replyName(codes), describeReply(codes)]),
  );

/** Lists the expected codes by HTTP status; several codes may have the same status. */
function listErrors({
  errors,
  public: isPublic,
  method = 'GET',
}: ErrorSource): [status: number, codes: ErrorCode[]][] {
  const byAll: readonly ErrorCode[] = ['bad_request', 'forbidden', 'internal_error', 'unavailable'];
  const always: readonly ErrorCode[] = isPublic ? byAll : ['unauthorized', ...byAll];
  const ofBodies: readonly ErrorCode[] = sendsInputInQuery(method)
    ? []
    : ['payload_too_large', 'unsupported_media_type'];
  const expected = [...new Set([...always, ...errors, ...ofBodies])];
  return [...Map.groupBy(expected, (code) => errorCodes[code].http)];
}

const replyName = (codes: readonly ErrorCode[]): string => codes.join('.');

const describeReply = (codes: readonly ErrorCode[]): JsonObject => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join(' '),
  content: {
    'application/json': {
      schema: refTo('ErrorBody'),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});
