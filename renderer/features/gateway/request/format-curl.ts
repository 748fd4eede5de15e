import { quoteForShell } from '../../../../core/base/text/quote-for-shell.ts';
import type { TriedRequest } from '../../../api/queries/gateway-queries.ts';

/**
 * The same request as a command for a POSIX shell.
 * @param address of the gateway, as in `http://127.0.0.1:8080/gateway`
 */
export function formatCurl({ method, path, headers = {}, body }: TriedRequest, address: string): string {
  const how = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
  return [
    `curl -sS${how} ${quoteForShell(address + toUrlPath(path))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoteForShell(body)}`]),
  ].join(' \\\n  ');
}

/** Blanks and other characters that an address cannot have as they are; what is encoded already stays. */
const toUrlPath = (path: string): string =>
  path.replaceAll(/[^\w!$&'()*+,\-./:;=?@~%]/gu, (character) => encodeURIComponent(character));
