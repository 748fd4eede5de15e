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
