import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../base/errors.ts';

/** Whether a host name, as in a URL or a `Host` header, is always this machine. */
export function isLoopbackName(name: string): boolean {
  const bare = stripBrackets(name.toLowerCase());
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

/** Host names of a server. */
export interface ServerNames {
  readonly boundHost: string;
  /** Public URL behind a proxy. */
  readonly publicUrl?: string | undefined;
  /** Whether the server uses https. */
  readonly isSecure?: boolean;
}

/**
 * Rejects requests that foreign pages could make a browser send: with a foreign host name (DNS rebinding), and from
 * another origin. Throws `forbidden`.
 * @param wayIn how other origins can be allowed, for the message
 */
export function checkOrigin(
  headers: IncomingHttpHeaders,
  method: string,
  names: ServerNames,
  wayIn?: string,
): void {
  const host = headers.host ?? '';
  if (!isServerHost(host, names)) {
    throw new AppError(
      'forbidden',
      `Host header ${JSON.stringify(host)} is not allowed. Use localhost or 127.0.0.1, or ` +
        (names.publicUrl === undefined
          ? 'set server.publicUrl.'
          : `${new URL(names.publicUrl).hostname} (server.publicUrl).`),
    );
  }
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && headers['sec-fetch-mode'] === 'navigate') return;
  const { origin } = headers;
  if (origin !== undefined && !isServerOrigin(origin, host, names)) {
    throw new AppError(
      'forbidden',
      `Requests from pages of ${JSON.stringify(origin)} are not allowed. ${formatAllowedUrls(names, wayIn)}`,
    );
  }
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') {
    throw new AppError(
      'forbidden',
      `Cross-site requests are not allowed. ${formatAllowedUrls(names, wayIn)}`,
    );
  }
}

/** Describes how to allow the request. A proxy that changes the `Host` header makes own pages look foreign. */
const formatAllowedUrls = ({ publicUrl }: ServerNames, wayIn: string | undefined): string => {
  const proxied = publicUrl === undefined ? ['set server.publicUrl to the public address'] : [];
  const others = [...proxied, ...(wayIn === undefined ? [] : [wayIn])];
  return `${['Use the pages of this server', ...others].join(', or ')}.`;
};

/**
 * Whether a `Host` header is a name of this server. IP addresses cannot be rebound, so a server bound to all
 * interfaces accepts any of them.
 */
export function isServerHost(hostHeader: string, { boundHost, publicUrl }: ServerNames): boolean {
  const name = readHostName(hostHeader);
  if (name === undefined) return false;
  if (publicUrl !== undefined && name === stripBrackets(new URL(publicUrl).hostname)) return true;
  const bound = stripBrackets(boundHost.toLowerCase());
  if (isLoopbackName(name) || name === bound) return true;
  return (bound === '0.0.0.0' || bound === '::') && isIP(name) !== 0;
}

/**
 * Whether the origin is this server. The port matters, because another server on this machine is another origin. The
 * scheme matters too, except that a proxy may use https for a server without it.
 */
function isServerOrigin(origin: string, hostHeader: string, { publicUrl, isSecure }: ServerNames): boolean {
  const address = origin.toLowerCase();
  const host = hostHeader.toLowerCase();
  if (publicUrl !== undefined && address === new URL(publicUrl).origin) return true;
  return address === `https://${host}` || (isSecure !== true && address === `http://${host}`);
}

function readHostName(hostHeader: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(hostHeader);
  return match ? stripBrackets(match[1]!.toLowerCase()) : undefined;
}

const stripBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, '$1');

/** Headers of every response: no content sniffing, no framing, no reading by other origins. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Returns the HSTS header for one year. Not for `localhost`, where it would affect every other local server; browsers
 * ignore it for IP addresses.
 */
export function strictTransportSecurity(host = ''): Readonly<Record<string, string>> {
  return /^localhost(:|$)/i.test(host) ? {} : { 'strict-transport-security': 'max-age=31536000' };
}

/** API responses are not cached and contain no page. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Content security policy of the web UI: its own files and this server. Inline styles are allowed because the canvas
 * library positions its nodes with style attributes.
 */
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
