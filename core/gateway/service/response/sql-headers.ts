import { findHeaderError } from '../../errors/sendable-header.ts';
import { GatewayError } from '../../gateway-error.ts';
import type { GatewayResponse } from '../request.ts';

type Headers = GatewayResponse['headers'];

/**
 * Parses the headers that SQL set with `response.headers`: `[{"Cache-Control": "public"}, …]`. All values of a
 * repeated name are sent.
 * @throws GatewayError PGRST111 if invalid
 */
export function readSqlHeaders(text: string | null): Headers {
  if (text === null || text === '') return {};
  const headers: Record<string, string[]> = {};
  for (const [name, value] of readEntries(text)) (headers[name.toLowerCase()] ??= []).push(value);
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

/**
 * Parses the status that SQL set with `response.status`.
 * @throws GatewayError PGRST112 if invalid
 */
export function readSqlStatus(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw new GatewayError(500, 'PGRST112', 'response.status guc must be a valid status code', {
    details: `The value is ${JSON.stringify(text)}; use a number from 200 to 599.`,
  });
}

function readEntries(text: string): [string, string][] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw headersError('The value is not JSON.');
  }
  if (!Array.isArray(list)) throw headersError('The value is not an array.');
  return list.map((item: unknown) => {
    const entries = typeof item === 'object' && item !== null ? Object.entries(item) : [];
    const [name, value] = entries[0] ?? [];
    if (entries.length !== 1 || name === undefined || typeof value !== 'string')
      throw headersError('Each object must have a single key (the header name) with a string value.');
    const problem = findHeaderError(name, value);
    if (problem !== undefined) throw headersError(problem);
    return [name, value];
  });
}

const headersError = (details: string): GatewayError =>
  new GatewayError(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    { details },
  );
