import { defaultHintFor } from './errors/usual-hint.ts';

/**
 * An error response in PostgREST's format: code, message, details, hint. `PGRSTnnn` codes come from the gateway,
 * others are SQLSTATEs.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  readonly code: string;
  /** A string, or data for codes that list candidates. */
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly details?: unknown;
      readonly hint?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? defaultHintFor(code, message) ?? null;
    this.headers = more.headers ?? {};
  }
}
