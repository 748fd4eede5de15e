/** What every reply carries: nothing is sniffed, framed, or read by a page of another origin. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Has browsers ask for this name by https only, for a year. Not under `localhost`, where it would bind every other
 * server of the machine; browsers take no notice of it for an address.
 */
export function strictTransport(host = ''): Readonly<Record<string, string>> {
  return /^localhost(:|$)/i.test(host) ? {} : { 'strict-transport-security': 'max-age=31536000' };
}

/** API replies are of the moment and hold no page. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * What the web UI may load and reach: its own files and this server. Styles may be inline because
 * the canvas library positions its nodes with style attributes.
 */
export const pagePolicy = [
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
