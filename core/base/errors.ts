import type { ErrorCode } from './error-codes.ts';
import type { JsonObject } from './json.ts';

/** A refusal: the request cannot be met as it stands, and `code` says why. Never used for defects. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject | undefined;

  constructor(code: ErrorCode, message: string, options?: { details?: JsonObject; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options?.details;
  }
}

/** The refusal of one field of a request; its problem goes on from the field's name: `steps: is missing`. */
export const refuseField = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}`, { details: { field } });

/** The body of every refusal on every transport. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: JsonObject;
}

/** What Node says of a certificate that is its own authority: advice to whoever starts `node`, and that is the engine. */
const adviceOfNode = '; if the root CA is installed locally, try running Node.js with --use-system-ca';

/** What anything thrown says. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message.replace(adviceOfNode, '') : String(thrown);

/** Turns anything thrown into an `AppError`; what is not one already is a defect and becomes `internal_error`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal_error', messageOf(thrown), { cause: thrown });
}

/** The wire form of a refusal. */
export function toErrorBody(error: AppError): ErrorBody {
  return error.details === undefined
    ? { code: error.code, message: error.message }
    : { code: error.code, message: error.message, details: error.details };
}
