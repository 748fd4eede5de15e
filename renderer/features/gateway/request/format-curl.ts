import { quoteForShell } from '../../../../core/base/text/quote-for-shell.ts';
import type { TriedRequest } from '../../../api/queries/gateway-queries.ts';

/**
 * The same request as a command for a POSIX shell.
 * @param address of the gateway, as in `http://127.0.0.1:8080/gateway`
 */
export function formatCurl({ method, path, headers = {}, body }: TriedRequest, address: string): string {
  const isTyped = body === undefined || Object.keys(headers).some((name) => /^content-type$/i.test(name));
  const how = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl -sS${how} ${quoteForShell(address + toUrlPath(path))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    // Left to itself, curl calls a body a form.
    ...(isTyped ? [] : [`-H ${quoteForShell('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-binary ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}

/** Blanks and other characters that an address cannot have as they are; what is encoded already stays. */
const toUrlPath = (path: string): string =>
  (path.startsWith('/') ? path : `/${path}`).replaceAll(/[^\w!$&'()*+,\-./:;=?@~%]/gu, (character) =>
    encodeURIComponent(character),
  );
