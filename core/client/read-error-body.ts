import { errorCodes } from '../base/error-codes.ts';
import type { ErrorBody } from '../base/errors.ts';
import type { ClientResponse } from './send.ts';

/**
 * Returns the error in a response of the engine; any other response (from a proxy or wrong port) becomes
 * `unavailable`.
 */
export async function readErrorBody(response: Pick<ClientResponse, 'status' | 'text'>): Promise<ErrorBody> {
  try {
    const body = JSON.parse(await response.text()) as Partial<ErrorBody>;
    if (
      typeof body.message === 'string' &&
      typeof body.code === 'string' &&
      Object.hasOwn(errorCodes, body.code)
    ) {
      return body as ErrorBody;
    }
  } catch {
    // Not JSON, so not from the engine.
  }
  return {
    code: 'unavailable',
    message: `The server responded with status ${response.status}, without an error message.`,
  };
}
