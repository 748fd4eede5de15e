import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { Protocol as DevTools } from 'devtools-protocol';
import type { Rectangle } from 'electron';
import { getBrowserConnection } from '../browser/running-browser.ts';
import type { DevToolsSession } from '../browser/devtools-connection.ts';
import { PRIMARY_DISPLAY_SIZE } from '../desktop/display-size.ts';
import {
  FILE_MARK,
  HOST_BINDING,
  PAGE_FILES,
  PAGE_INBOX,
  type HostMessage,
  type PageMessage,
} from '../ipc/messages.ts';
import { buildIsolatedWorldScript, buildMainWorldScript } from '../page/injected-scripts.ts';
import { CUSTOM_SCHEME_PATTERN, toApplicationUrl, toBrowserUrl } from '../protocol/scheme-urls.ts';

export interface PageOptions {
  /** The size of the viewport. */
  readonly width: number;
  readonly height: number;
  /** The source of the preload, empty for none. */
  readonly preload: string;
  /** The members of the preload's `process`. */
  readonly preloadProcess: Record<string, unknown>;
  readonly colorScheme: ColorScheme;
}

export type ColorScheme = 'light' | 'dark';

/** A console message of the page, or an uncaught error. */
export interface ConsoleLine {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly lineNumber: number;
  readonly sourceId: string;
}

interface PageEvents {
  navigated: [url: string];
  'navigated-in-page': [url: string];
  'dom-ready': [];
  loaded: [];
  console: [line: ConsoleLine];
  message: [message: PageMessage, contextId: number];
  request: [request: DevTools.Fetch.RequestPausedEvent];
  crashed: [];
  gone: [];
}

/** The name of the preload's world. */
const WORLD_NAME = 'Electron Isolated Context';

/**
 * One page of the browser, which renders one window. It uses the DevTools protocol and is independent of
 * Electron.
 */
export class Page extends EventEmitter<PageEvents> {
  /** Settles when the page can be navigated. */
  readonly booted: Promise<void>;
  /** The application URL of the document; empty before the first one. */
  url = '';
  readonly #options: PageOptions;
  readonly #forget: (() => void)[] = [];
  #targetId: string | undefined;
  #session: DevToolsSession | undefined;
  /** The execution context of the preload's world in the current document. */
  #preloadContext: number | undefined;
  #gone = false;

  constructor(options: PageOptions) {
    super();
    this.setMaxListeners(0);
    this.#options = options;
    this.booted = this.#boot();
  }

  get targetId(): string | undefined {
    return this.#targetId;
  }

  /** The DevTools session. @throws Error before the page has started */
  get session(): DevToolsSession {
    if (!this.#session) throw new Error('electron stand-in: the page has not started yet');
    return this.#session;
  }

  /**
   * Loads a document and waits until it has finished.
   * @param url application URL
   * @returns the browser's error, undefined on success
   */
  async navigate(url: string): Promise<string | undefined> {
    await this.booted;
    const { promise: loaded, resolve } = Promise.withResolvers<void>();
    this.once('loaded', resolve);
    const result = await this.session.send('Page.navigate', { url: toBrowserUrl(url) });
    if (result.errorText) {
      this.off('loaded', resolve);
      return result.errorText;
    }
    // Without a loader the navigation stayed inside the document.
    if (result.loaderId) await Promise.race([loaded, this.#whenGone()]);
    return undefined;
  }

  /** Delivers a message to the preload's world; dropped if there is none, as in Electron. */
  async deliver(message: HostMessage, contextId = this.#preloadContext): Promise<void> {
    if (contextId === undefined || this.#gone) return;
    await this.session
      .send('Runtime.callFunctionOn', {
        executionContextId: contextId,
        functionDeclaration: `function (text) { globalThis.${PAGE_INBOX}(text); }`,
        arguments: [{ value: JSON.stringify(message) }],
      })
      // The document may have been replaced in the meantime.
      .catch(() => undefined);
  }

  /** @throws Error with the page's message if the script throws */
  async evaluate(code: string): Promise<unknown> {
    await this.booted;
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  }

  /**
   * Moves the window and sets the size of its viewport. The browser's own frame takes space that is outside
   * in Electron's windows, so the size is set by emulation.
   */
  async setBounds({ x, y, width, height }: Rectangle): Promise<void> {
    await this.booted;
    const { targetId } = this;
    if (!targetId) return;
    const { browser } = getBrowserConnection();
    const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId });
    await browser.send('Browser.setWindowBounds', { windowId, bounds: { left: x, top: y, width, height } });
    await this.#setAreaSize(this.session, width, height);
  }

  async setColorScheme(value: ColorScheme): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value }];
    await this.#session?.send('Emulation.setEmulatedMedia', { features }).catch(() => undefined);
  }

  /** Notifies the document that its window closes, which its listeners of `beforeunload` may prevent. */
  async askToUnload(): Promise<boolean> {
    await this.booted.catch(() => undefined);
    if (this.#gone || !this.#session) return true;
    const expression = "window.dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    const answer = await this.#session.send('Runtime.evaluate', { expression }).catch(() => undefined);
    return answer?.result.value !== false;
  }

  async close(): Promise<void> {
    await this.booted.catch(() => undefined);
    if (this.#gone) return;
    const targetId = this.#targetId;
    if (targetId) {
      await getBrowserConnection()
        .browser.send('Target.closeTarget', { targetId })
        .catch(() => undefined);
    }
    this.#leave();
  }

  async #boot(): Promise<void> {
    const { width, height, colorScheme } = this.#options;
    const connection = getBrowserConnection();
    const target = { url: 'about:blank', newWindow: true, width, height };
    const { targetId } = await connection.browser.send('Target.createTarget', target);
    this.#targetId = targetId;
    this.#watchTarget(targetId, connection.browser);
    const session = await connection.attach(targetId);
    this.#session = session;
    this.#watchDocument(targetId, session);
    this.#watchPreloadWorld(targetId, session);
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Runtime.addBinding', { name: HOST_BINDING, executionContextName: WORLD_NAME }),
      ...this.#scripts().map((script) => session.send('Page.addScriptToEvaluateOnNewDocument', script)),
      session.send('Fetch.enable', {
        patterns: [{ urlPattern: CUSTOM_SCHEME_PATTERN }, { urlPattern: '*', resourceType: 'Document' }],
      }),
      this.setColorScheme(colorScheme),
      this.#setAreaSize(session, width, height),
    ]);
  }

  async #setAreaSize(session: DevToolsSession, width: number, height: number): Promise<void> {
    await session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      screenWidth: PRIMARY_DISPLAY_SIZE.width,
      screenHeight: PRIMARY_DISPLAY_SIZE.height,
      deviceScaleFactor: 0,
      mobile: false,
    });
  }

  /** The order matters: the main world must listen before the preload exposes anything to it. */
  #scripts(): DevTools.Page.AddScriptToEvaluateOnNewDocumentRequest[] {
    const token = `standin-${randomUUID()}`;
    const { preload, preloadProcess } = this.#options;
    const files = { list: PAGE_FILES, mark: FILE_MARK };
    const options = { token, binding: HOST_BINDING, inbox: PAGE_INBOX, files, process: preloadProcess };
    return [
      { source: buildMainWorldScript(token) },
      { source: buildIsolatedWorldScript(options, preload), worldName: WORLD_NAME },
    ];
  }

  #watchTarget(targetId: string, browser: DevToolsSession): void {
    this.#forget.push(
      browser.on('Target.targetDestroyed', (event) => {
        if (event.targetId === targetId) this.#leave();
      }),
      browser.on('Target.targetCrashed', (event) => {
        if (event.targetId === targetId) this.emit('crashed');
      }),
    );
  }

  #watchDocument(targetId: string, session: DevToolsSession): void {
    session.on('Page.frameNavigated', ({ frame }) => {
      // The main frame of a page has its target's id.
      if (frame.id !== targetId) return;
      this.url = toApplicationUrl(frame.url + (frame.urlFragment ?? ''));
      this.emit('navigated', this.url);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== targetId) return;
      this.url = toApplicationUrl(url);
      this.emit('navigated-in-page', this.url);
    });
    session.on('Page.domContentEventFired', () => this.emit('dom-ready'));
    session.on('Page.loadEventFired', () => {
      if (this.url !== '' && this.url !== 'about:blank') this.emit('loaded');
    });
    session.on('Fetch.requestPaused', (request) => this.emit('request', request));
    session.on('Runtime.consoleAPICalled', (event) => this.emit('console', describeConsoleCall(event)));
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
      this.emit('console', describeException(exceptionDetails)),
    );
  }

  #watchPreloadWorld(targetId: string, session: DevToolsSession): void {
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId?: string };
      if (context.name === WORLD_NAME && frameId === targetId) this.#preloadContext = context.id;
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (this.#preloadContext === executionContextId) this.#preloadContext = undefined;
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#preloadContext = undefined;
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== HOST_BINDING) return;
      const emit = (text: string): unknown =>
        this.emit('message', JSON.parse(text) as PageMessage, executionContextId);
      if (payload.includes(FILE_MARK)) void fillPaths(session, payload, executionContextId).then(emit);
      else emit(payload);
    });
  }

  #leave(): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const forget of this.#forget) forget();
    this.emit('gone');
  }

  #whenGone(): Promise<void> {
    return new Promise((resolve) => this.once('gone', resolve));
  }
}

/** Replaces file placeholders in a message with paths; a file not on disk has the path ''. */
async function fillPaths(session: DevToolsSession, payload: string, contextId: number): Promise<string> {
  let text = payload;
  for (const [mark, place] of payload.matchAll(new RegExp(`${FILE_MARK}(\\d+);`, 'g'))) {
    const expression = `${PAGE_FILES}[${place}]`;
    const { result } = await session.send('Runtime.evaluate', { expression, contextId });
    const { path } = await session.send('DOM.getFileInfo', { objectId: result.objectId! });
    text = text.replace(mark, JSON.stringify(path).slice(1, -1));
  }
  return text;
}

function describeConsoleCall(event: DevTools.Runtime.ConsoleAPICalledEvent): ConsoleLine {
  const levels: Record<string, ConsoleLine['level']> = {
    error: 'error',
    assert: 'error',
    warning: 'warning',
  };
  const place = event.stackTrace?.callFrames[0];
  return {
    level: levels[event.type] ?? 'info',
    message: event.args.map((each) => String(each.value ?? each.description ?? '')).join(' '),
    lineNumber: place?.lineNumber ?? 0,
    sourceId: toApplicationUrl(place?.url ?? ''),
  };
}

function describeException(details: DevTools.Runtime.ExceptionDetails): ConsoleLine {
  return {
    level: 'error',
    message: details.exception?.description ?? details.text,
    lineNumber: details.lineNumber,
    sourceId: toApplicationUrl(details.url ?? ''),
  };
}
