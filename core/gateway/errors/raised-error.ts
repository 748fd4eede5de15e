import type { DatabaseError } from '../database/database.ts';
import { GatewayError } from '../gateway-error.ts';
import { findHeaderError } from './sendable-header.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Converts an error that SQL raised with `RAISE SQLSTATE 'PGRST'` and JSON in MESSAGE (code, message, details, hint)
 * and DETAIL (status, headers). Invalid JSON results in PGRST121.
 */
export function toRaisedError({ message, detail }: DatabaseError): GatewayError {
  const raised = readRecord(message);
  if (raised === undefined) return invalidRaiseError('MESSAGE', message, 'an object with code and message');
  const { code, message: text, details, hint } = raised;
  if (typeof code !== 'string' || typeof text !== 'string')
    return invalidRaiseError('MESSAGE', message, 'code and message, both strings');
  const how = readRecord(detail ?? '');
  if (how === undefined) return invalidRaiseError('DETAIL', detail, 'an object with status and headers');
  const status = how['status'];
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return invalidRaiseError('DETAIL', detail, 'status, a number from 200 to 599');
  const headers = readHeaders(how['headers'] ?? {});
  if (typeof headers === 'string') return invalidRaiseError('DETAIL', detail, `headers. ${headers}`);
  return new GatewayError(status, code, text, {
    details: details ?? null,
    hint: typeof hint === 'string' ? hint : null,
    headers,
  });
}

function readRecord(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns headers with lower-case names, or an error message. */
function readHeaders(value: unknown): Record<string, string> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'They are not an object.';
  const headers: Record<string, string> = {};
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== 'string') return `${JSON.stringify(name)} is not a string.`;
    const problem = findHeaderError(name, content);
    if (problem !== undefined) return problem;
    headers[name.toLowerCase()] = content;
  }
  return headers;
}

const invalidRaiseError = (part: string, text: string | null, expected: string): GatewayError =>
  new GatewayError(500, 'PGRST121', `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, {
    details: `Invalid JSON value for ${part}: '${text ?? ''}'`,
    hint: `${part} must be JSON with ${expected}.`,
  });
