import type { IncomingMessage } from 'node:http';
import { pluralize } from '../../base/text/pluralize.ts';
import { isCredential, redactUrl } from './credentials.ts';
import { exchange, type HttpRequest } from './exchange.ts';
import { HttpFailure } from './http-failure.ts';
import { findProxy } from './proxy.ts';
import type { Watch } from './watch.ts';

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
    if (followed === maxRedirects) throw new HttpFailure(describeTooMany(maxRedirects, target));
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

function describeTooMany(limit: number, target: URL): string {
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
