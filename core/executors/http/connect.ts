import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { basicAuthorization } from './plan-request.ts';
import { HttpFailure } from './explain-error.ts';
import type { Watch } from './exchange.ts';

/** The target of a request and its proxy and TLS settings. */
export interface Route {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly skipTLSVerify: boolean;
}

/** Returns the host and port of a URL as one string. An IPv6 address keeps its brackets. */
export const getAuthority = (url: URL): string => `${url.hostname}:${getPort(url)}`;

const getHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Opens the connection for a request: to the server or, for plain HTTP with a proxy, to the proxy. The caller closes
 * it; an abort of the watch closes it at once. Rejects with the system or TLS error.
 */
export async function openConnection(route: Route, watch: Watch): Promise<Duplex> {
  const { url, proxy } = route;
  if (proxy === undefined) return openTo(url, route.skipTLSVerify, watch);
  const toProxy = await openTo(proxy, route.skipTLSVerify, watch, 'the proxy ');
  if (url.protocol !== 'https:') return toProxy;
  const tunnel = await openTunnel(url, proxy, toProxy, watch);
  return startTls(tunnel, url, route.skipTLSVerify, watch);
}

async function openTo(url: URL, skipTLSVerify: boolean, watch: Watch, what = ''): Promise<Duplex> {
  watch.enter(`connecting to ${what}${getAuthority(url)}`);
  const socket = connectTcp({
    host: getHost(url),
    port: getPort(url),
    signal: watch.signal,
    noDelay: true,
  });
  await untilReady(socket, 'connect', watch.signal);
  watch.debug(`connected to ${what}${getAuthority(url)} (${socket.remoteAddress})`);
  return url.protocol === 'https:' ? startTls(socket, url, skipTLSVerify, watch) : socket;
}

async function startTls(socket: Duplex, url: URL, skipTLSVerify: boolean, watch: Watch): Promise<TLSSocket> {
  watch.enter(`setting up TLS with ${getAuthority(url)}`);
  const host = getHost(url);
  const secure = connectTls({
    socket,
    host,
    // An IP address is not a server name (RFC 6066, 3).
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: !skipTLSVerify,
    ALPNProtocols: ['http/1.1'],
  });
  await untilReady(secure, 'secureConnect', watch.signal);
  watch.debug(
    `${secure.getProtocol()} with ${getAuthority(url)}${skipTLSVerify ? ', certificate not verified' : ''}`,
  );
  return secure;
}

/** Opens a tunnel to the server through the proxy (RFC 9110, 9.3.6). */
async function openTunnel(url: URL, proxy: URL, socket: Duplex, watch: Watch): Promise<Duplex> {
  const authority = getAuthority(url);
  watch.enter(`waiting for the proxy ${getAuthority(proxy)} to connect to ${authority}`);
  const authorization = basicAuthorization(proxy);
  const asking = request({
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
    },
    createConnection: () => socket,
    signal: watch.signal,
  });
  asking.on('error', () => {});
  asking.end();
  const [reply, tunnel, head] = (await once(asking, 'connect')) as [
    { statusCode: number; statusMessage: string },
    Socket,
    Buffer,
  ];
  if (reply.statusCode < 200 || reply.statusCode > 299) {
    tunnel.destroy();
    throw new HttpFailure(formatProxyError(reply, getAuthority(proxy), authority));
  }
  if (head.length > 0) tunnel.unshift(head);
  watch.debug(`the proxy connected to ${authority}`);
  return tunnel;
}

function formatProxyError(
  { statusCode, statusMessage }: { statusCode: number; statusMessage: string },
  proxy: string,
  server: string,
): string {
  const error = `proxy ${proxy} did not connect to ${server}: ${statusCode} ${statusMessage}`;
  return statusCode === 407
    ? `${error}. Add username and password to HTTPS_PROXY: http://user:password@host:port`
    : `${error}. Ask the administrator of the proxy, or exempt the server with NO_PROXY`;
}

/**
 * Resolves at an event, and closes the socket if it fails first. Later errors are handled by the user of the socket.
 */
async function untilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  socket.on('error', () => {});
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void =>
    reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' }));
  const onAbort = (): void => reject(signal.reason as Error);
  socket.once(event, resolve).once('error', reject).once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await promise;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    socket.off('error', reject).off('close', onClose);
    signal.removeEventListener('abort', onAbort);
  }
}

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
  const port = getPort(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, bracketed, plain, entryPort] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
      // An IPv6 address without brackets has no port.
      const isBareAddress = bracketed === undefined && entry.split(':').length > 2;
      const name = (isBareAddress ? entry : (bracketed ?? plain ?? '')).replace(/^\*?\./, '');
      if (!isBareAddress && entryPort !== undefined && Number(entryPort) !== port) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}

/** Returns the port of a URL, or the default port of its scheme. */
const getPort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
