import { createReadStream } from 'node:fs';
import { request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openConnection, type Route } from './connect.ts';
import { basicAuthorization, isCredential, redactUrl } from './credentials.ts';
import { HttpFailure } from './http-failure.ts';
import type { Watch } from './watch.ts';

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
export async function exchange(request: HttpRequest, route: Route, watch: Watch): Promise<IncomingMessage> {
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
