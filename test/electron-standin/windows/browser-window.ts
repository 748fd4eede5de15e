import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import type { BrowserWindowConstructorOptions, LoadFileOptions, Rectangle, WebPreferences } from 'electron';
import { app } from '../app/app.ts';
import { createEvent } from '../app/electron-event.ts';
import { lifecycle, requireReady } from '../app/lifecycle.ts';
import { PRIMARY_DISPLAY_SIZE } from '../desktop/display-size.ts';
import type { NativeImage } from '../desktop/native-image.ts';
import { readColorScheme } from '../desktop/native-theme.ts';
import { findSession, type Session } from '../protocol/session.ts';
import { openWindows } from './open-windows.ts';
import { Page } from './page.ts';
import { WebContents } from './web-contents.ts';
import { WindowPlacement } from './window-placement.ts';

const DEFAULT_SIZE = { width: 800, height: 600 } as const;

let lastId = 0;

/** Electron's `BrowserWindow`: a page of the browser with simulated focus, visibility and bounds. */
export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return openWindows.list().filter((window) => window instanceof BrowserWindow);
  }

  static getFocusedWindow(): BrowserWindow | null {
    return openWindows.focused instanceof BrowserWindow ? openWindows.focused : null;
  }

  static fromId(id: number): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.id === id) ?? null;
  }

  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  readonly id = ++lastId;
  readonly webContents: WebContents;
  autoHideMenuBar = false;
  menuBarVisible = true;
  resizable = true;
  readonly #page: Page;
  readonly #placement: WindowPlacement;
  #title: string;
  #backgroundColor: string;
  #visible = false;
  #alwaysOnTop = false;
  #closing = false;
  #destroyed = false;

  /** @throws Error before `ready`, and for windows that the stand-in cannot render */
  constructor(options: BrowserWindowConstructorOptions = {}) {
    requireReady('Cannot create BrowserWindow before app is ready');
    super();
    this.setMaxListeners(0);
    const preferences = options.webPreferences ?? {};
    assertSafePreferences(preferences);
    this.#title = options.title ?? app.name;
    this.#backgroundColor = options.backgroundColor ?? '#FFFFFF';
    const bounds = chooseBounds(options);
    this.#page = new Page({
      width: bounds.width,
      height: bounds.height,
      preload: preferences.preload ? fs.readFileSync(preferences.preload, 'utf8') : '',
      preloadProcess: describePreloadProcess(preferences),
      colorScheme: readColorScheme(),
    });
    this.#page.once('gone', () => {
      this.#destroyed = true;
    });
    this.#placement = new WindowPlacement({
      page: this.#page,
      bounds,
      minimumSize: [options.minWidth ?? 0, options.minHeight ?? 0],
      onChange: (event) => this.emit(event),
    });
    this.webContents = new WebContents({
      page: this.#page,
      host: this,
      session: (preferences.session as Session | undefined) ?? findSession(preferences.partition ?? ''),
      preloadPath: preferences.preload ?? '',
    });
    openWindows.add(this);
    this.#followPage();
    app.emit('web-contents-created', createEvent({}), this.webContents);
    app.emit('browser-window-created', createEvent({}), this);
    if (options.show !== false) this.show();
  }

  // Content

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  loadFile(file: string, options?: LoadFileOptions): Promise<void> {
    return this.webContents.loadFile(file, options);
  }

  reload(): void {
    this.webContents.reload();
  }

  capturePage(): Promise<NativeImage> {
    return this.webContents.capturePage();
  }

  setTitle(title: string): void {
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  // Closing

  /**
   * Requests to close the window; a listener of `close` or the document may prevent it, which also cancels
   * `app.quit()`.
   */
  close(): void {
    if (this.#destroyed || this.#closing) return;
    const event = createEvent({});
    this.emit('close', event);
    if (event.defaultPrevented) lifecycle.quitting = false;
    else void this.#closeWhenUnloaded();
  }

  async #closeWhenUnloaded(): Promise<void> {
    this.#closing = true;
    const mayClose = await this.#page.askToUnload();
    this.#closing = false;
    if (mayClose) this.destroy();
    else lifecycle.quitting = false;
  }

  /** Closes without asking. */
  destroy(): void {
    if (this.#destroyed || this.#closing) return;
    this.#closing = true;
    void this.#page.close();
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  // Visibility and focus

  show(): void {
    this.showInactive();
    this.focus();
  }

  showInactive(): void {
    if (this.#visible) return;
    this.#visible = true;
    this.emit('show');
  }

  hide(): void {
    if (!this.#visible) return;
    this.blur();
    this.#visible = false;
    this.emit('hide');
  }

  isVisible(): boolean {
    return this.#visible;
  }

  focus(): void {
    const before = openWindows.moveFocus(this);
    if (before === this) return;
    if (before instanceof BrowserWindow) before.#announceFocus('blur');
    this.#announceFocus('focus');
  }

  blur(): void {
    if (!this.isFocused()) return;
    openWindows.moveFocus(undefined);
    this.#announceFocus('blur');
  }

  isFocused(): boolean {
    return openWindows.focused === this;
  }

  moveTop(): void {}

  flashFrame(_flag: boolean): void {}

  // Bounds

  minimize(): void {
    this.#placement.setState('minimized');
  }

  isMinimized(): boolean {
    return this.#placement.state === 'minimized';
  }

  restore(): void {
    if (this.isMinimized()) this.#placement.setState('normal');
  }

  maximize(): void {
    this.#placement.setState('maximized');
  }

  unmaximize(): void {
    if (this.isMaximized()) this.#placement.setState('normal');
  }

  isMaximized(): boolean {
    return this.#placement.state === 'maximized';
  }

  setFullScreen(flag: boolean): void {
    if (flag !== this.isFullScreen()) this.#placement.setState(flag ? 'full-screen' : 'normal');
  }

  isFullScreen(): boolean {
    return this.#placement.state === 'full-screen';
  }

  isNormal(): boolean {
    return this.#placement.state === 'normal';
  }

  getBounds(): Rectangle {
    return this.#placement.bounds;
  }

  getContentBounds(): Rectangle {
    return this.#placement.bounds;
  }

  getNormalBounds(): Rectangle {
    return this.#placement.normalBounds;
  }

  setBounds(bounds: Partial<Rectangle>): void {
    this.#placement.setBounds(bounds);
  }

  getSize(): number[] {
    const { width, height } = this.getBounds();
    return [width, height];
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  getPosition(): number[] {
    const { x, y } = this.getBounds();
    return [x, y];
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }

  getMinimumSize(): number[] {
    return this.#placement.minimumSize;
  }

  setMinimumSize(width: number, height: number): void {
    this.#placement.minimumSize = [width, height];
  }

  center(): void {
    this.setBounds(centre(this.getBounds()));
  }

  // Decoration: recorded only

  setMenu(_menu: unknown): void {}

  removeMenu(): void {}

  setMenuBarVisibility(visible: boolean): void {
    this.menuBarVisible = visible;
  }

  isMenuBarVisible(): boolean {
    return this.menuBarVisible;
  }

  setAutoHideMenuBar(hide: boolean): void {
    this.autoHideMenuBar = hide;
  }

  setBackgroundColor(color: string): void {
    this.#backgroundColor = color;
  }

  getBackgroundColor(): string {
    return this.#backgroundColor;
  }

  setAlwaysOnTop(flag: boolean): void {
    this.#alwaysOnTop = flag;
  }

  isAlwaysOnTop(): boolean {
    return this.#alwaysOnTop;
  }

  setResizable(resizable: boolean): void {
    this.resizable = resizable;
  }

  isResizable(): boolean {
    return this.resizable;
  }

  setIcon(_icon: unknown): void {}

  setOverlayIcon(_overlay: unknown, _description: string): void {}

  setProgressBar(_progress: number): void {}

  setSkipTaskbar(_skip: boolean): void {}

  setTitleBarOverlay(_options: object): void {}

  #announceFocus(name: 'focus' | 'blur'): void {
    this.emit(name, createEvent({}));
    app.emit(`browser-window-${name}`, createEvent({}), this);
  }

  #followPage(): void {
    this.#page.once('loaded', () => this.emit('ready-to-show'));
    this.#page.once('gone', () => {
      this.emit('closed');
      openWindows.remove(this);
    });
  }
}

function chooseBounds({ x, y, width, height }: BrowserWindowConstructorOptions): Rectangle {
  const size = { width: width ?? DEFAULT_SIZE.width, height: height ?? DEFAULT_SIZE.height };
  return x === undefined || y === undefined ? centre(size) : { x, y, ...size };
}

function centre({ width, height }: { width: number; height: number }): Rectangle {
  const x = Math.max(0, Math.round((PRIMARY_DISPLAY_SIZE.width - width) / 2));
  const y = Math.max(0, Math.round((PRIMARY_DISPLAY_SIZE.height - height) / 2));
  return { x, y, width, height };
}

/**
 * The stand-in cannot give a page Node access or disable isolation, and an application should not need it.
 */
function assertSafePreferences(preferences: WebPreferences): void {
  const unsafe =
    preferences.nodeIntegration === true ||
    preferences.contextIsolation === false ||
    preferences.sandbox === false ||
    preferences.webSecurity === false ||
    preferences.webviewTag === true;
  if (unsafe) {
    throw new Error('electron stand-in: only sandboxed, context-isolated windows are supported');
  }
}

function describePreloadProcess(preferences: WebPreferences): Record<string, unknown> {
  return {
    type: 'renderer',
    platform: process.platform,
    arch: process.arch,
    sandboxed: true,
    contextIsolated: true,
    isMainFrame: true,
    env: {},
    argv: [process.execPath, ...(preferences.additionalArguments ?? [])],
    versions: { ...process.versions },
    resourcesPath: process.resourcesPath,
  };
}
