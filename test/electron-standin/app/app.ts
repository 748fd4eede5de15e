import { EventEmitter } from 'node:events';
import path from 'node:path';
import type { LoginItemSettings, ProcessMetric, Settings } from 'electron';
import { closeBrowser } from '../browser/running-browser.ts';
import { getLaunchContext } from '../launch/launch-context.ts';
import { openWindows } from '../windows/open-windows.ts';
import { AppPaths } from './app-paths.ts';
import { commandLine, type CommandLine } from './command-line.ts';
import { createEvent, ElectronEvent } from './electron-event.ts';
import { lifecycle, requireNotReady, whenReady } from './lifecycle.ts';
import { SingleInstance } from './single-instance.ts';

/** Electron's `app`. Applications depend on its event order on quitting. */
export class App extends EventEmitter {
  readonly isPackaged: boolean = getLaunchContext().isPackaged;
  readonly commandLine: CommandLine = commandLine;
  /** macOS only. */
  readonly dock = undefined;
  name: string;
  badgeCount = 0;
  userAgentFallback = '';
  readonly #context = getLaunchContext();
  readonly #paths = new AppPaths(() => this.name);
  readonly #singleInstance = new SingleInstance();
  readonly #ownSchemes = new Set<string>();
  #opensAtLogin = false;

  constructor() {
    super();
    this.setMaxListeners(0);
    const { manifest } = this.#context;
    this.name = manifest.productName ?? manifest.name ?? 'Electron';
    openWindows.whenLastGone(() => this.#lastWindowGone());
  }

  // Identity

  getName(): string {
    return this.name;
  }

  setName(name: string): void {
    this.name = name;
  }

  getVersion(): string {
    return this.#context.manifest.version ?? '0.0.0';
  }

  getAppPath(): string {
    return this.#context.applicationFolder;
  }

  getPath(name: string): string {
    return this.#paths.get(name);
  }

  setPath(name: string, folder: string): void {
    this.#paths.set(name, folder);
  }

  setAppLogsPath(folder?: string): void {
    this.#paths.set('logs', folder ?? path.join(this.getPath('userData'), 'logs'));
  }

  getLocale(): string {
    return 'en-US';
  }

  getSystemLocale(): string {
    return 'en-US';
  }

  getLocaleCountryCode(): string {
    return 'US';
  }

  getPreferredSystemLanguages(): string[] {
    return ['en-US'];
  }

  getAppMetrics(): ProcessMetric[] {
    const workingSetSize = Math.round(process.memoryUsage().rss / 1024);
    return [
      {
        pid: process.pid,
        type: 'Browser',
        creationTime: 0,
        cpu: { percentCPUUsage: 0, idleWakeupsPerSecond: 0 },
        memory: { workingSetSize, peakWorkingSetSize: workingSetSize },
      },
    ];
  }

  // Lifecycle

  isReady(): boolean {
    return lifecycle.ready;
  }

  whenReady(): Promise<void> {
    return whenReady;
  }

  /**
   * Requests to quit: `before-quit`, then every window's `close`, then `will-quit`; each may be prevented.
   */
  quit(): void {
    if (lifecycle.exiting || lifecycle.quitting || this.#isPrevented('before-quit')) return;
    lifecycle.quitting = true;
    const windows = openWindows.list();
    if (windows.length === 0) this.#finishQuitting();
    for (const window of windows) window.close();
  }

  /** Exits without asking; only `quit` is emitted. */
  exit(exitCode = 0): void {
    if (lifecycle.exiting) return;
    lifecycle.exiting = true;
    process.exitCode = exitCode;
    this.emit('quit', new ElectronEvent(), exitCode);
    this.#singleInstance.release();
    void closeBrowser().finally(() => process.exit(exitCode));
  }

  focus(): void {}

  hide(): void {}

  show(): void {}

  enableSandbox(): void {
    requireNotReady('app.enableSandbox() can only be called before app is ready');
  }

  disableHardwareAcceleration(): void {
    requireNotReady('app.disableHardwareAcceleration() can only be called before app is ready');
  }

  // Single instance

  requestSingleInstanceLock(additionalData?: Record<string, unknown>): boolean {
    return this.#singleInstance.request(this.getPath('userData'), additionalData, (seen) => {
      // Electron guarantees that 'second-instance' is never emitted before 'ready'.
      void whenReady.then(() =>
        this.emit(
          'second-instance',
          new ElectronEvent(),
          seen.argv,
          seen.workingDirectory,
          seen.additionalData,
        ),
      );
    });
  }

  hasSingleInstanceLock(): boolean {
    return this.#singleInstance.isHeld;
  }

  releaseSingleInstanceLock(): void {
    this.#singleInstance.release();
  }

  // Desktop integration: recorded, never applied

  setAppUserModelId(_id: string): void {}

  setDesktopName(_name: string): void {}

  setAboutPanelOptions(_options: object): void {}

  showAboutPanel(): void {}

  setBadgeCount(count = 0): boolean {
    this.badgeCount = count;
    return true;
  }

  getBadgeCount(): number {
    return this.badgeCount;
  }

  addRecentDocument(_path: string): void {}

  clearRecentDocuments(): void {}

  setAsDefaultProtocolClient(scheme: string): boolean {
    this.#ownSchemes.add(scheme);
    return true;
  }

  removeAsDefaultProtocolClient(scheme: string): boolean {
    return this.#ownSchemes.delete(scheme);
  }

  isDefaultProtocolClient(scheme: string): boolean {
    return this.#ownSchemes.has(scheme);
  }

  setLoginItemSettings(settings: Settings): void {
    this.#opensAtLogin = settings.openAtLogin ?? false;
  }

  getLoginItemSettings(): LoginItemSettings {
    return {
      openAtLogin: this.#opensAtLogin,
      wasOpenedAtLogin: false,
      status: this.#opensAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: this.#opensAtLogin,
      launchItems: [],
    };
  }

  #lastWindowGone(): void {
    if (lifecycle.exiting) return;
    if (lifecycle.quitting) this.#finishQuitting();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #finishQuitting(): void {
    if (this.#isPrevented('will-quit')) lifecycle.quitting = false;
    else this.exit();
  }

  #isPrevented(name: string): boolean {
    const event = createEvent({});
    this.emit(name, event);
    return event.defaultPrevented;
  }
}

export const app = new App();
