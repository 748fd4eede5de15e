import { HttpFailure } from './http-failure.ts';

/**
 * The proxy for a URL by the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in capitals or not, of an
 * environment; undefined when the server is reached directly. Throws `HttpFailure` for one that is no HTTP proxy.
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

/** The spelling in small letters counts first, as most programs have it. */
const readVariable = (env: Readonly<Record<string, string>>, name: string): string =>
  (env[name.toLowerCase()] || env[name] || '').trim();

/** Entries are host names, which stand for their subdomains too, each with a port or without, or `*`. */
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

/** The port of a URL, by its scheme when it names none. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
