import { shellQuote } from '../../../../core/base/text/shell-quote.ts';
import type { GatewayRequest } from '../../../api/queries/gateway-queries.ts';

/**
 * Formats the request as a command for a POSIX shell.
 * @param address address of the gateway, such as `http://127.0.0.1:8080/gateway`
 */
export function formatCurl({ method, path, headers = {}, body }: GatewayRequest, address: string): string {
  const isTyped = body === undefined || Object.keys(headers).some((name) => /^content-type$/i.test(name));
  const how = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl -sS${how} ${shellQuote(address + toUrlPath(path))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    // By default, curl sends a body as a form.
    ...(isTyped ? [] : [`-H ${shellQuote('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-binary ${shellQuote(body)}`]),
  ].join(' \\\n  ');
}

/** Encodes spaces and other characters that are invalid in a URL; existing escapes stay. */
const toUrlPath = (path: string): string =>
  (path.startsWith('/') ? path : `/${path}`).replaceAll(/[^\w!$&'()*+,\-./:;=?@~%]/gu, (character) =>
    encodeURIComponent(character),
  );
