import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { toHttpError } from '../http-error.ts';

/** An invalid field of a body. */
export interface BodyProblem {
  readonly field: string;
  readonly code: 'missing_field' | 'invalid' | 'custom';
  readonly message: string;
}

/** Returns a 422 error that lists every problem. */
export const toValidationError = (resource: string, problems: readonly BodyProblem[]): AppError =>
  new AppError('validation_failed', problems.map(({ message }) => message).join(' '), {
    details: { errors: problems.map((problem) => ({ resource, ...problem })) },
  });

/** Sends an error in the format of this API: `{message, errors?, documentation_url, status}`. */
export function sendWebhookApiError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const { status, message, details } = describe(toHttpError(error, logger), request);
  const errors: JsonValue | undefined = details?.['errors'];
  const retryAfter = details?.['retryAfter'];
  if (typeof retryAfter === 'number') void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({
      message,
      ...(Array.isArray(errors) && { errors }),
      documentation_url: 'docs/webhooks.md',
      status: String(status),
    });
}

interface Described {
  readonly status: number;
  readonly message: string;
  readonly details: JsonObject | undefined;
}

/** Describes an error; an invalid token has GitHub's message. */
function describe({ code, message, details }: AppError, request: FastifyRequest): Described {
  if (code === 'unauthorized') {
    const isGiven = request.headers.authorization !== undefined;
    return { status: 401, message: isGiven ? 'Bad Credentials' : 'Requires authentication', details };
  }
  // A schema violation of an operation is an invalid field.
  if (code === 'bad_request' && typeof details?.['field'] === 'string')
    return {
      status: 422,
      message: `Validation Failed: ${message}`,
      details: { errors: [{ resource: 'Hook', field: details['field'], code: 'invalid', message }] },
    };
  if (code === 'validation_failed') return { status: 422, message: `Validation Failed: ${message}`, details };
  return { status: errorCodes[code].http, message, details };
}
