import { EventEmitter } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HandlerDetails, LoadFileOptions, WindowOpenHandlerResponse } from 'electron';
import { app } from '../app/app.ts';
import { createEvent, type ElectronEvent } from '../app/electron-event.ts';
import { NativeImage } from '../desktop/native-image.ts';
import { nativeTheme, readColorScheme } from '../desktop/native-theme.ts';
import { encodeForWire } from '../ipc/wire.ts';
import { IpcMain } from '../ipc/ipc-main.ts';
import { toApplicationUrl } from '../protocol/scheme-urls.ts';
import { getSessionRules, type Session } from '../protocol/session.ts';
import { MainFrame } from './main-frame.ts';
import { PageRequests } from './page-requests.ts';
import { receivePageMessages } from './page-messages.ts';
import type { Page } from './page.ts';

/** What the contents need from their window. */
export interface ContentsHost {
  isDestroyed(): boolean;
  isFocused(): boolean;
  focus(): void;
  getTitle(): string;
  setTitle(title: string): void;
  destroy(): void;
  emit(name: 'page-title-updated', event: ElectronEvent, title: string, explicit: boolean): boolean;
}

export interface ContentsOptions {
  readonly page: Page;
  readonly host: ContentsHost;
  readonly session: Session;
  readonly preloadPath: string;
}

type WindowOpenHandler = (details: HandlerDetails) => WindowOpenHandlerResponse;

/** Chromium's error code for an aborted navigation. */
const ERR_ABORTED = -3;
const ERR_FAILED = -2;

const contentsByTarget = new Map<WebContents, Page>();
let lastId = 0;

/** Electron's `WebContents`, for the page of a window. */
export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly ipc = new IpcMain();
  readonly session: Session;
  readonly mainFrame: MainFrame;
  zoomLevel = 0;
  zoomFactor = 1;
  backgroundThrottling = true;
  audioMuted = false;
  userAgent = '';
  readonly #page: Page;
  readonly #requests: PageRequests;
  readonly #host: ContentsHost;
  #openHandler: WindowOpenHandler | undefined;
  #loading = false;
  #crashed = false;
  #devToolsOpen = false;

  constructor({ page, host, session, preloadPath }: ContentsOptions) {
    super();
    this.setMaxListeners(0);
    this.session = session;
    this.#page = page;
    this.#host = host;
    this.mainFrame = new MainFrame(this.id, page, (channel, ...args) => this.send(channel, ...args));
    this.#requests = new PageRequests(page, {
      rules: getSessionRules(session),
      contents: this,
      mayNavigate: (url, isMainFrame) => this.#mayNavigate(url, isMainFrame),
    });
    receivePageMessages(page, this, {
      preloadPath,
      openWindow: (details) => this.#openWindow(details),
      updateTitle: (title) => this.#updateTitle(title),
    });
    this.#relayPageEvents();
    contentsByTarget.set(this, page);
  }

  // Loading

  async loadURL(url: string): Promise<void> {
    this.#loading = true;
    this.#requests.expect(url);
    const error = await this.#page.navigate(url);
    if (error === undefined) return;
    const code = error === 'net::ERR_ABORTED' ? ERR_ABORTED : ERR_FAILED;
    this.emit('did-fail-load', createEvent({}), code, error, url, true);
    throw Object.assign(new Error(`${error} (${code}) loading '${url}'`), {
      code: error,
      errno: code,
      url,
    });
  }

  loadFile(file: string, options: LoadFileOptions = {}): Promise<void> {
    const url = pathToFileURL(path.resolve(app.getAppPath(), file));
    for (const [key, value] of Object.entries(options.query ?? {})) url.searchParams.set(key, value);
    if (options.hash) url.hash = options.hash;
    return this.loadURL(url.href);
  }

  reload(): void {
    this.#loading = true;
    this.#crashed = false;
    this.#requests.expect(this.#page.url);
    this.#page.session.send('Page.reload').catch(() => undefined);
  }

  reloadIgnoringCache(): void {
    this.reload();
  }

  getURL(): string {
    return this.#page.url;
  }

  getTitle(): string {
    return this.#host.getTitle();
  }

  isLoading(): boolean {
    return this.#loading;
  }

  isLoadingMainFrame(): boolean {
    return this.#loading;
  }

  // Messages and scripts

  /** @throws TypeError without a channel, Error if an argument cannot be cloned */
  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    void this.#page.deliver({ kind: 'push', channel, args: encodeForWire(args) });
  }

  executeJavaScript(code: string): Promise<unknown> {
    return this.#page.evaluate(code);
  }

  async capturePage(): Promise<NativeImage> {
    const { data } = await this.#page.session.send('Page.captureScreenshot', { format: 'png' });
    return new NativeImage(Buffer.from(data, 'base64'));
  }

  async printToPDF(_options: object): Promise<Buffer> {
    const { data } = await this.#page.session.send('Page.printToPDF', {});
    return Buffer.from(data, 'base64');
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#openHandler = handler;
  }

  // Lifecycle

  close(): void {
    this.#host.destroy();
  }

  isDestroyed(): boolean {
    return this.#host.isDestroyed();
  }

  isCrashed(): boolean {
    return this.#crashed;
  }

  forcefullyCrashRenderer(): void {
    this.#page.session.send('Page.crash').catch(() => undefined);
  }

  focus(): void {
    this.#host.focus();
  }

  isFocused(): boolean {
    return this.#host.isFocused();
  }

  getType(): 'window' {
    return 'window';
  }

  getOSProcessId(): number {
    return process.pid;
  }

  getProcessId(): number {
    return this.mainFrame.processId;
  }

  // Developer tools and zoom: recorded only

  openDevTools(_options?: object): void {
    if (this.#devToolsOpen) return;
    this.#devToolsOpen = true;
    this.emit('devtools-opened');
  }

  closeDevTools(): void {
    if (!this.#devToolsOpen) return;
    this.#devToolsOpen = false;
    this.emit('devtools-closed');
  }

  toggleDevTools(): void {
    if (this.#devToolsOpen) this.closeDevTools();
    else this.openDevTools();
  }

  isDevToolsOpened(): boolean {
    return this.#devToolsOpen;
  }

  getZoomLevel(): number {
    return this.zoomLevel;
  }

  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }

  getZoomFactor(): number {
    return this.zoomFactor;
  }

  setZoomFactor(factor: number): void {
    this.zoomFactor = factor;
  }

  async setVisualZoomLevelLimits(_minimum: number, _maximum: number): Promise<void> {}

  setBackgroundThrottling(allowed: boolean): void {
    this.backgroundThrottling = allowed;
  }

  setIgnoreMenuShortcuts(_ignore: boolean): void {}

  setUserAgent(userAgent: string): void {
    this.userAgent = userAgent;
  }

  // Editing

  undo(): void {
    this.#edit('Undo');
  }

  redo(): void {
    this.#edit('Redo');
  }

  cut(): void {
    this.#edit('Cut');
  }

  copy(): void {
    this.#edit('Copy');
  }

  paste(): void {
    this.#edit('Paste');
  }

  pasteAndMatchStyle(): void {
    this.#edit('PasteAndMatchStyle');
  }

  delete(): void {
    this.#edit('Delete');
  }

  selectAll(): void {
    this.#edit('SelectAll');
  }

  #edit(command: string): void {
    const key = { type: 'rawKeyDown' as const, commands: [command] };
    this.#page.session.send('Input.dispatchKeyEvent', key).catch(() => undefined);
  }

  /** A navigation by the page itself: the application may prevent it. */
  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    const frame = isMainFrame ? this.mainFrame : null;
    const event = createEvent({ url, isMainFrame, isSameDocument: false, frame });
    this.emit('will-frame-navigate', event);
    if (isMainFrame && !event.defaultPrevented) this.emit('will-navigate', event, url);
    return !event.defaultPrevented;
  }

  #openWindow(details: HandlerDetails): void {
    const url = toApplicationUrl(details.url);
    const { action } = this.#openHandler?.({ ...details, url }) ?? { action: 'allow' };
    if (action === 'allow') throw new Error('electron stand-in: child windows are not supported');
  }

  /** The window uses the document's title, unless a listener prevents it. */
  #updateTitle(title: string): void {
    const event = createEvent({});
    this.emit('page-title-updated', event, title, true);
    this.#host.emit('page-title-updated', event, title, true);
    if (!event.defaultPrevented) this.#host.setTitle(title);
  }

  #relayPageEvents(): void {
    const page = this.#page;
    page.booted.catch((error: unknown) => {
      if (!this.isDestroyed()) process.stderr.write(`electron stand-in: ${String(error)}\n`);
    });
    page.on('navigated', (url) => {
      this.#loading = true;
      this.emit('did-navigate', createEvent({}), url, 200, 'OK');
    });
    page.on('navigated-in-page', (url) => this.emit('did-navigate-in-page', createEvent({}), url, true));
    page.on('dom-ready', () => this.emit('dom-ready', createEvent({})));
    page.on('loaded', () => {
      this.#loading = false;
      this.emit('did-finish-load', createEvent({}));
      this.emit('did-stop-loading', createEvent({}));
    });
    page.on('console', (line) =>
      this.emit('console-message', createEvent({ ...line, frame: this.mainFrame })),
    );
    page.on('crashed', () => this.#reportCrash());
    page.on('gone', () => {
      contentsByTarget.delete(this);
      nativeTheme.off('updated', followTheme);
      this.emit('destroyed');
    });
    const followTheme = (): void => void page.setColorScheme(readColorScheme());
    nativeTheme.on('updated', followTheme);
  }

  #reportCrash(): void {
    this.#crashed = true;
    const details = { reason: 'crashed', exitCode: 1 };
    this.emit('render-process-gone', createEvent({}), details);
    app.emit('render-process-gone', createEvent({}), this, details);
  }
}

/** Electron's `webContents` module. */
export const webContents = {
  getAllWebContents: (): WebContents[] => [...contentsByTarget.keys()],
  getFocusedWebContents: (): WebContents | null =>
    webContents.getAllWebContents().find((contents) => contents.isFocused()) ?? null,
  fromId: (id: number): WebContents | undefined =>
    webContents.getAllWebContents().find((contents) => contents.id === id),
  fromDevToolsTargetId: (targetId: string): WebContents | undefined =>
    [...contentsByTarget].find(([, page]) => page.targetId === targetId)?.[0],
};
