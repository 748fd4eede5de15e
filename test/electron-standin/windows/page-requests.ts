import type { Protocol as DevTools } from 'devtools-protocol';
import { getBrowserConnection } from '../browser/running-browser.ts';
import { applyPermissions } from '../protocol/permissions.ts';
import { findCustomScheme, toApplicationUrl, toBrowserUrl } from '../protocol/scheme-urls.ts';
import type { ProtocolHandler } from '../protocol/protocol.ts';
import type { SessionRules } from '../protocol/session.ts';
import type { Page } from './page.ts';
import type { WebContents } from './web-contents.ts';

type PausedRequest = DevTools.Fetch.RequestPausedEvent;

/** State of the contents needed by the requests of its page. */
export interface RequestContext {
  readonly rules: SessionRules;
  /** Passed to the application's handlers. */
  readonly contents: WebContents;
  /** Asks the application whether the page may navigate away from its document. */
  mayNavigate(url: string, isMainFrame: boolean): boolean;
}

/** Handles every paused request of a page: documents of any kind, and all of the custom schemes. */
export class PageRequests {
  readonly #page: Page;
  readonly #context: RequestContext;
  /** Navigations by the application itself instead of its page. */
  readonly #expected = new Set<string>();

  constructor(page: Page, context: RequestContext) {
    this.#page = page;
    this.#context = context;
    // A page that closes during a request responds to no more commands.
    page.on('request', (request) => void this.#answer(request).catch(() => undefined));
  }

  /** Announces a navigation by the application. @param url application URL */
  expect(url: string): void {
    this.#expected.add(toBrowserUrl(url));
  }

  async #answer(paused: PausedRequest): Promise<void> {
    const { request, requestId, resourceType, frameId } = paused;
    if (resourceType === 'Document') {
      const isMainFrame = frameId === this.#page.targetId;
      if (!this.#isAllowed(request.url, isMainFrame)) return this.#fail(requestId, 'Aborted');
      if (isMainFrame) await this.#applyPermissions(request.url);
    }
    const scheme = findCustomScheme(request.url);
    if (!scheme) return this.#page.session.send('Fetch.continueRequest', { requestId });
    const handler = this.#context.rules.schemeHandlers.get(scheme);
    if (!handler) return this.#fail(requestId, 'AddressUnreachable');
    const response = await runHandler(handler, request);
    return response ? this.#fulfill(paused, response) : this.#fail(requestId, 'Failed');
  }

  #isAllowed(browserUrl: string, isMainFrame: boolean): boolean {
    if (isMainFrame && this.#expected.delete(browserUrl)) return true;
    return this.#context.mayNavigate(toApplicationUrl(browserUrl), isMainFrame);
  }

  #applyPermissions(browserUrl: string): Promise<void> {
    return applyPermissions(getBrowserConnection().browser, {
      handlers: this.#context.rules.permissions,
      contents: this.#context.contents,
      applicationUrl: toApplicationUrl(browserUrl),
      browserUrl,
    });
  }

  async #fulfill(paused: PausedRequest, response: Response): Promise<void> {
    const headers = await this.#reviewHeaders(paused, response);
    if (!headers) return this.#fail(paused.requestId, 'Aborted');
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    await this.#page.session.send('Fetch.fulfillRequest', {
      requestId: paused.requestId,
      responseCode: response.status,
      responseHeaders: headers,
      body,
    });
  }

  /** Lets the application's `onHeadersReceived` change the headers. @returns undefined if it cancels */
  async #reviewHeaders(
    { request }: PausedRequest,
    response: Response,
  ): Promise<DevTools.Fetch.HeaderEntry[] | undefined> {
    const received = [...response.headers].map(([name, value]) => ({ name, value }));
    const listener = this.#context.rules.headersListener;
    if (!listener) return received;
    const grouped: Record<string, string[]> = {};
    for (const { name, value } of received) (grouped[name] ??= []).push(value);
    const details = {
      id: 0,
      url: toApplicationUrl(request.url),
      method: request.method,
      webContentsId: this.#context.contents.id,
      resourceType: 'other' as const,
      referrer: '',
      timestamp: 0,
      statusLine: '',
      statusCode: response.status,
      responseHeaders: grouped,
    };
    const { cancel, responseHeaders } = await new Promise<Electron.HeadersReceivedResponse>((resolve) =>
      listener(details, resolve),
    );
    if (cancel) return undefined;
    return responseHeaders ? flattenHeaders(responseHeaders) : received;
  }

  async #fail(requestId: string, errorReason: DevTools.Network.ErrorReason): Promise<void> {
    await this.#page.session.send('Fetch.failRequest', { requestId, errorReason });
  }
}

/** @returns undefined if the handler failed; Electron fails the request and reports the error, too */
async function runHandler(
  handler: ProtocolHandler,
  { url, method, headers, postData }: DevTools.Network.Request,
): Promise<Response | undefined> {
  try {
    const request = new Request(url, {
      method,
      headers,
      ...(postData === undefined ? {} : { body: postData }),
    });
    // The handler must see the application URL, which the constructor would reject.
    Object.defineProperty(request, 'url', { value: toApplicationUrl(url) });
    return await handler(request);
  } catch (error) {
    process.stderr.write(`protocol handler failed for ${toApplicationUrl(url)}: ${String(error)}\n`);
    return undefined;
  }
}

function flattenHeaders(headers: Record<string, string | string[]>): DevTools.Fetch.HeaderEntry[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
}
