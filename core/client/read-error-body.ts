import { errorCodes } from '../base/error-codes.ts';
import type { ErrorBody } from '../base/errors.ts';
import type { Answer } from './send.ts';

/** The refusal in a reply of the engine; whatever else answers (a proxy, a wrong port) becomes `unavailable`. */
export async function readErrorBody(response: Pick<Answer, 'status' | 'text'>): Promise<ErrorBody> {
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
    // Not JSON: not from the engine.
  }
  return { code: 'unavailable', message: `The server answered ${response.status} and no reason.` };
}
