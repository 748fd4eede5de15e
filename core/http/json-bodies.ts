import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { findJsonIssue, formatJsonIssue } from '../base/text/json-issue.ts';
import { describeExceededJsonLimit, findExceededJsonLimit, LARGE_JSON } from '../base/text/json-size.ts';

/** Accepts only JSON bodies, or none. The error for invalid JSON contains the position. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    const excess = findExceededJsonLimit(body);
    if (body === '') done(null, undefined);
    else if (excess !== undefined) done(excess === 'levels' ? tooDeepError() : tooManyValuesError(excess));
    else
      void parse(request, body, (error, value) => {
        // Two immediates, as in `nextTurn`.
        if (error) done(findBodyError(body) ?? error);
        else if (body.length > LARGE_JSON) setImmediate(() => setImmediate(done, null, value));
        else done(null, value);
      });
  });
}

/** Returns the error for an invalid body; undefined for valid JSON, whose error is then about forbidden keys. */
function findBodyError(body: string): AppError | undefined {
  const problem = findJsonIssue(body);
  if (problem === undefined) return isJson(body) ? undefined : tooDeepError();
  const { line, column } = problem;
  return new AppError('bad_request', `Invalid JSON in the request body: ${formatJsonIssue(problem)}.`, {
    details: { line, column },
  });
}

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

const tooManyValuesError = (excess: 'values' | 'keys'): AppError =>
  new AppError(
    'payload_too_large',
    `The request body ${describeExceededJsonLimit(excess)}. Send smaller requests.`,
  );

const tooDeepError = (): AppError =>
  new AppError('bad_request', 'Invalid JSON in the request body: nested too deep.');
