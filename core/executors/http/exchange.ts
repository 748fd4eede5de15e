import { createReadStream } from 'node:fs';
import { request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { pluralize } from '../../base/text.ts';
import type { Clock } from '../../base/clock.ts';
import { openConnection, type Route, findProxy } from './connect.ts';
import { basicAuthorization, isCredential, redactUrl } from './plan-request.ts';
import { HttpFailure } from './explain-error.ts';

/** A file that is read while it is sent. */
export interface BodyFile {
  readonly file: string;
  readonly size: number;
}

/** One request. A redirect creates another one from it. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** By lower-case name, validated. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | BodyFile | undefined;
}

/**
 * Sends a request and resolves with the head of the response. The caller reads or destroys the body, which closes the
 * connection; connections are not reused. An abort of the watch closes it at once.
 */
async function exchange(request: HttpRequest, route: Route, watch: Watch): Promise<IncomingMessage> {
  const connection = await openConnection(route, watch);
  const isForProxy = route.proxy !== undefined && request.url.protocol === 'http:';
  watch.enter(`sending the request to ${request.url.host}`);
  const headers = completeHeaders(request, isForProxy ? route.proxy : undefined);
  debugRequest(request, headers, watch);
  const path = `${request.url.pathname}${request.url.search}`;
  const outgoing = openRequest({
    method: request.method,
    path: isForProxy ? `http://${request.url.host}${path}` : path,
    headers,
    setHost: false,
    createConnection: () => connection,
    signal: watch.signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve).on('error', reject);
  outgoing.once('finish', () => watch.enter(`waiting for the response of ${request.url.host}`));
  // A response that arrives before the request is fully sent is valid, even if sending the rest fails.
  send(outgoing, request.body).catch(reject);
  try {
    const response = await promise;
    // Later errors are reported when the body is read.
    response.on('error', () => {});
    debugResponse(response, watch);
    return response;
  } catch (error) {
    outgoing.destroy();
    connection.destroy();
    throw error;
  }
}

async function send(outgoing: ClientRequest, body: HttpRequest['body']): Promise<void> {
  if (body === undefined || Buffer.isBuffer(body)) {
    outgoing.end(body);
    return;
  }
  // Send the size that was announced, even if the file grows in the meantime.
  const source = body.size === 0 ? undefined : createReadStream(body.file, { start: 0, end: body.size - 1 });
  if (source === undefined) {
    outgoing.end();
    return;
  }
  let failure: Error | undefined;
  source.once('error', (error) => (failure = error));
  try {
    await pipeline(source, outgoing);
  } catch (error) {
    if (failure !== undefined)
      throw new HttpFailure(`cannot read the file of config.bodyFile: ${failure.message}`);
    throw error;
  }
}

function completeHeaders(
  { url, headers, body, method }: HttpRequest,
  proxy: URL | undefined,
): Record<string, string> {
  const authorization = basicAuthorization(url);
  const proxyAuthorization = proxy === undefined ? undefined : basicAuthorization(proxy);
  const size = Buffer.isBuffer(body) ? body.length : body?.size;
  return {
    host: url.host,
    connection: 'close',
    'user-agent': 'stepwright',
    accept: '*/*',
    'accept-encoding': 'gzip, br',
    ...(authorization === undefined ? {} : { authorization }),
    ...(proxyAuthorization === undefined ? {} : { 'proxy-authorization': proxyAuthorization }),
    ...(body === undefined
      ? {}
      : { 'content-type': Buffer.isBuffer(body) ? 'text/plain; charset=utf-8' : 'application/octet-stream' }),
    ...headers,
    // Methods that usually have a body declare an empty one (RFC 9110, 8.6).
    ...(size !== undefined || /^(?:POST|PUT|PATCH)$/.test(method)
      ? { 'content-length': String(size ?? 0) }
      : {}),
  };
}

function debugRequest(request: HttpRequest, headers: Readonly<Record<string, string>>, watch: Watch): void {
  watch.debug(`> ${request.method} ${redactUrl(request.url)}`);
  for (const [name, value] of Object.entries(headers))
    watch.debug(`> ${name}: ${isCredential(name) ? '(not shown)' : value}`);
}

function debugResponse(
  { httpVersion, statusCode, statusMessage, headers }: IncomingMessage,
  watch: Watch,
): void {
  watch.debug(`< HTTP/${httpVersion} ${statusCode} ${statusMessage}`);
  for (const [name, value] of Object.entries(headers))
    watch.debug(`< ${name}: ${isCredential(name) ? '(not shown)' : String(value)}`);
}

/** Settings that apply to a request and its redirects. */
export interface RequestRouting {
  readonly maxRedirects: number;
  readonly skipTLSVerify: boolean;
  /** Environment that may contain proxy variables. */
  readonly env: Readonly<Record<string, string>>;
}

/** The final response and the request it belongs to. */
export interface FinalResponse {
  readonly request: HttpRequest;
  readonly response: IncomingMessage;
}

/** Sends a request and follows redirects (RFC 9110, 15.4). */
export async function follow(
  first: HttpRequest,
  travel: RequestRouting,
  watch: Watch,
): Promise<FinalResponse> {
  let request = first;
  for (let followed = 0; ; followed += 1) {
    const { skipTLSVerify, env, maxRedirects } = travel;
    const route = { url: request.url, proxy: findProxy(request.url, env), skipTLSVerify };
    const response = await exchange(request, route, watch);
    const target = maxRedirects === 0 ? undefined : findTarget(request, response);
    if (target === undefined) return { request, response };
    response.destroy();
    if (followed === maxRedirects) throw new HttpFailure(formatTooMany(maxRedirects, target));
    watch.debug(`redirected to ${redactUrl(target)}`);
    request = redirect(request, response.statusCode!, target);
  }
}

const redirecting = [301, 302, 303, 307, 308];

function findTarget({ url }: HttpRequest, { statusCode, headers }: IncomingMessage): URL | undefined {
  const { location } = headers;
  if (location === undefined || !redirecting.includes(statusCode!)) return undefined;
  const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol))
    throw new HttpFailure(
      `the server redirects to ${JSON.stringify(location.slice(0, 200))}, which is not an http or https URL`,
    );
  return target;
}

function formatTooMany(limit: number, target: URL): string {
  const count = pluralize(limit, 'redirect');
  return `more than ${count}, next: ${redactUrl(target)}. Use the final URL, or raise config.maxRedirects`;
}

/** Returns the request for a redirect. A `POST` becomes a `GET`, except for 307 and 308. */
function redirect({ method, headers, body, url }: HttpRequest, status: number, target: URL): HttpRequest {
  const becomesGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST';
  const isSameOrigin = target.origin === url.origin;
  const isForwardedHeader = (name: string): boolean =>
    (isSameOrigin || (!isCredential(name) && name !== 'host')) &&
    !(becomesGet && name.startsWith('content-'));
  const forwarded = Object.entries(headers).filter(([name]) => isForwardedHeader(name));
  if (isSameOrigin && target.username === '' && target.password === '') {
    target.username = url.username;
    target.password = url.password;
  }
  return {
    method: becomesGet ? 'GET' : method,
    url: target,
    headers: Object.fromEntries(forwarded),
    body: becomesGet ? undefined : body,
  };
}

/** Tracks the progress of an exchange and can abort it. */
export interface Watch {
  /** Aborted when the step must end or times out; its reason is the error to report. */
  readonly signal: AbortSignal;
  /** The current activity, to follow "while" in a message: `connecting to example.com:443`. */
  readonly phase: string;
  enter(phase: string): void;
  /** Writes a debug line; ignored unless debugging is enabled. */
  debug(line: string): void;
  /** Must be called once, at the end. */
  close(): void;
}

/** @param timeoutSec timeout of the whole exchange; 0 for no timeout */
export function openWatch(
  clock: Clock,
  stop: AbortSignal,
  timeoutSec: number,
  debug: (line: string) => void,
): Watch {
  const aborting = new AbortController();
  let phase = 'beginning';
  const onStop = (): void => aborting.abort(new HttpFailure(`stopped while ${phase}`));
  if (stop.aborted) onStop();
  else stop.addEventListener('abort', onStop, { once: true });
  const onTime = (): void => {
    const advice = 'Raise config.timeout, or check why the server is slow';
    aborting.abort(new HttpFailure(`timed out after ${timeoutSec} s while ${phase}. ${advice}`));
  };
  const cancel = timeoutSec > 0 ? clock.after(timeoutSec * 1000, onTime) : undefined;
  return {
    signal: aborting.signal,
    get phase() {
      return phase;
    },
    enter: (next) => void (phase = next),
    debug,
    close() {
      cancel?.();
      stop.removeEventListener('abort', onStop);
    },
  };
}
