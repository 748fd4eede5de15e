import { HttpFailure } from './http-failure.ts';

/**
 * Returns the proxy for a URL from the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case,
 * or undefined for a direct connection.
 * @throws HttpFailure if the value is not an HTTP proxy
 */
export function findProxy(url: URL, env: Readonly<Record<string, string>>): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const written = readVariable(env, name);
  if (written === '' || isExempt(url, readVariable(env, 'NO_PROXY'))) return undefined;
  const text = written.includes('://') ? written : `http://${written}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new HttpFailure(
    `the variable ${name} is not an HTTP proxy URL. Use http://host:port, or remove it from "env"`,
  );
}

/** The lower-case variable takes precedence, as in most programs. */
const readVariable = (env: Readonly<Record<string, string>>, name: string): string =>
  (env[name.toLowerCase()] || env[name] || '').trim();

/**
 * Whether `NO_PROXY` contains the host. Entries are `*` or host names, which include their subdomains, with an
 * optional port.
 */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, bracketed, plain, wantedPort] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
      // An IPv6 address without brackets has no port.
      const isBareAddress = bracketed === undefined && entry.split(':').length > 2;
      const name = (isBareAddress ? entry : (bracketed ?? plain ?? '')).replace(/^\*?\./, '');
      if (!isBareAddress && wantedPort !== undefined && Number(wantedPort) !== port) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}

/** Returns the port of a URL, or the default port of its scheme. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
