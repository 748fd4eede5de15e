import type { CustomScheme } from 'electron';

/*
 * Chromium cannot navigate to unknown schemes, before any request could be intercepted. So `app://bundle/x`
 * is navigated as `https://bundle.app.electron-standin.test/x`, which is a separate secure origin, and every
 * request to such a host is handled by the application's protocol handler.
 */
const HOST_SUFFIX = 'electron-standin.test';

/** The interception pattern for all custom schemes. */
export const CUSTOM_SCHEME_PATTERN = `https://*.${HOST_SUFFIX}/*`;

const BROWSER_URL = /^https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.electron-standin\.test(.*)$/i;

const privilegedSchemes = new Set<string>();

/** Makes schemes navigable, as `protocol.registerSchemesAsPrivileged` does. */
export function registerPrivilegedSchemes(schemes: readonly CustomScheme[]): void {
  for (const { scheme } of schemes) privilegedSchemes.add(scheme.toLowerCase());
}

/** Converts an application URL to a browser URL. */
export function toBrowserUrl(url: string): string {
  const [, scheme = '', host, rest] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (!privilegedSchemes.has(scheme.toLowerCase())) return url;
  return `https://${host || 'host'}.${scheme.toLowerCase()}.${HOST_SUFFIX}${rest || '/'}`;
}

/** Converts a browser URL to an application URL. */
export function toApplicationUrl(url: string): string {
  return url.replace(BROWSER_URL, '$2://$1$3');
}

/** The custom scheme of a browser URL, if any. */
export function findCustomScheme(browserUrl: string): string | undefined {
  return BROWSER_URL.exec(browserUrl)?.[2];
}

/** The origin of an application URL, the string `null` if it has none. */
export function readOrigin(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+/i.exec(url)?.[0] ?? (url.startsWith('file:') ? 'file://' : 'null');
}
