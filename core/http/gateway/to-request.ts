import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { GatewayRequest } from '../../gateway/service/request.ts';

/**
 * Converts a request for the gateway.
 * @param body decoded
 * @throws AppError `bad_request` for a path that is not UTF-8
 */
export function toGatewayRequest(
  { method, headers, raw, ip }: FastifyRequest,
  body: Uint8Array,
  options: { readonly mount: string; readonly trustsLoopback: boolean },
): GatewayRequest {
  const { url = '/' } = raw;
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  return {
    method,
    // The first two are the empty part before the slash, and the prefix.
    path: path.split('/').slice(2).map(decode),
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    headers: toTexts(headers),
    body,
    isLoopback: options.trustsLoopback && isLoopbackAddress(ip) && !isForwarded(headers),
    mount: options.mount,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AppError('bad_request', 'The URL is not valid UTF-8 or contains an invalid percent escape.');
  }
}

/** Cookies of the server are user sessions, which database functions must not see. */
function toTexts(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (text !== undefined) texts[name] = name === 'cookie' ? withoutOwnCookies(text) : text;
  }
  return texts;
}

const withoutOwnCookies = (header: string): string =>
  header
    .split(';')
    .filter((part) => !part.trimStart().startsWith('stepwright_'))
    .join(';')
    .trim();

const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** Whether the request came through a proxy, so that it may not be local. */
const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);
