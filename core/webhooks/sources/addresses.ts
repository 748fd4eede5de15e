/**
 * Origin of URLs in payloads. A local engine has no public address, and payloads must not change with the address of
 * the server; so it is a reserved host (RFC 2606), with the paths that receivers parse. Run pages use links that open
 * in the desktop app.
 */
const origin = 'https://stepwright.invalid';

/** Returns the API URL of a path. */
export const apiUrl = (path: string): string => `${origin}/${path}`;

/** Returns the URL of a run or step page, which opens in the desktop app. */
export const pageUrl = (...place: readonly string[]): string =>
  `stepwright://run/${place.map(encodeURIComponent).join('/')}`;

/** Returns a GraphQL node id: base64, stable for the same object. */
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}${id}`).toString('base64');
