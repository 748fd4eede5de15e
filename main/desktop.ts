import {
  Menu,
  app,
  dialog,
  ipcMain,
  nativeImage,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  session,
  shell,
  Tray,
  type MessageBoxOptions,
} from 'electron';
import { getErrorMessage } from '../core/base/errors.ts';
import type { Logger } from '../core/base/logger.ts';
import { systemClock, type Engine, type NotificationContent } from '../core/index.ts';
import { registerDesktop, registerDroppedFiles, WindowMailbox } from './desktop-ipc.ts';
import { windowCaller, type RequestedOperations, registerWindowHandlers } from './engine-ipc.ts';
import { Notifier } from './notifier.ts';
import { RunNotifications } from './run-notifications.ts';
import { launchArgs, type ProcessStart, hiddenFlag } from './launch-args.ts';
import { AppMenu } from './menu.ts';
import {
  appPaths,
  guardNavigation,
  windowBounds,
  type PreparedWindow,
  whenLoaded,
} from './prepare-window.ts';
import { followPower, KeepAwake, openSystemServices } from './open-system-services.ts';
import { type DesktopSettingsFile, desktopSettingsHandlers } from './settings.ts';
import { CloseHandler, QuitFlow } from './quit.ts';
import { BackgroundServices, waitForRuns } from './serve-home.ts';
import type { SystemServices } from './system-services.ts';
import { desktopActions } from './desktop-actions.ts';
import { formatTime, AppTray, trayImage } from './tray.ts';
import type { DesktopActions } from './tray-menu.ts';
import { HomeWatch } from './watch-home.ts';
import type { CrashWatch } from './crash-watch.ts';
import { MainWindow } from './main-window.ts';

/** Parts of the app that end-to-end tests cannot reach through Electron. */
export interface TestHooks {
  trayMenu(): Menu | undefined;
  trayState(): string;
  /** Number of streams that the window follows. */
  liveStreams(): number;
  /** Path of the preload script, for a test with an untrusted page. */
  readonly preload: string;
}

/** Sets the hooks as `globalThis.stepwrightTest`, only if `STEPWRIGHT_TEST` is set. */
function setTestHooks(hooks: TestHooks): void {
  if (process.env['STEPWRIGHT_TEST'] === '1') Object.assign(globalThis, { stepwrightTest: hooks });
}

/** Signals by which a session, a service manager or a closing terminal ends the app. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Objects created before the parts of the app. */
interface DesktopBase {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings: DesktopSettingsFile;
  readonly windows: PreparedWindow;
  readonly crashes: CrashWatch;
}

/** The app around an engine; only wires the parts together. */
export class Desktop {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #settings: DesktopSettingsFile;
  readonly #mailbox = new WindowMailbox(ipcMain);
  readonly #crashes: CrashWatch;
  readonly #window: MainWindow;
  readonly #notifier: Notifier;
  readonly #actions: DesktopActions;
  readonly #tray: AppTray;
  readonly #serving: BackgroundServices;
  readonly #quit: QuitFlow;
  readonly #closing: CloseHandler;
  readonly #keepAwake = new KeepAwake(powerSaveBlocker);
  readonly #watch: HomeWatch;
  readonly #notices: RunNotifications;
  readonly #system: SystemServices;
  /** Set by {@link begin}. */
  #operations: RequestedOperations | undefined;

  constructor({ engine, logger, settings, windows, crashes }: DesktopBase) {
    this.#engine = engine;
    this.#logger = logger;
    const reportFailure = this.#report;
    this.#settings = settings;
    this.#crashes = crashes;
    this.#serving = new BackgroundServices(engine, logger);
    this.#window = this.#createWindow(windows);
    this.#system = this.#createSystem();
    this.#notifier = this.#createNotifier();
    this.#actions = this.#createActions();
    this.#tray = new AppTray({
      createTray: (image) => new Tray(image),
      image: (state) => trayImage(nativeImage, appPaths.icons, state, process.platform),
      buildMenu: (template) => Menu.buildFromTemplate(template),
      formatTime: (iso) => formatTime(iso, systemClock.now()),
      actions: this.#actions,
      reportFailure,
    });
    this.#quit = this.#createQuitFlow();
    this.#closing = this.#createCloseHandler();
    this.#watch = this.#createHomeWatch();
    this.#notices = new RunNotifications(
      engine.api,
      systemClock,
      engine.config.tz ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      () => this.#settings.current.notifications,
      (notice) => this.#notifier.show(notice),
    );
    engine.onProblem(({ message }) =>
      this.#notifier.show({
        title: 'Stepwright needs attention',
        body: message,
        address: '#/system',
        tone: 'error',
      }),
    );
  }

  /** Shows a notification of a channel of the kind `desktop`. */
  showNotification({ event, title, text, workflow, runId }: NotificationContent): void {
    const run = runId === undefined ? undefined : { name: workflow, dagRunId: runId };
    this.#notifier.show({
      title,
      body: text,
      address:
        run === undefined
          ? '#/notifications'
          : `#/runs/${encodeURIComponent(run.name)}/${encodeURIComponent(run.dagRunId)}`,
      tone: event === 'recovered' || event === 'test' ? 'info' : 'error',
      ...(event === 'failed' && run !== undefined && { retry: run }),
    });
  }

  readonly open = (hash?: string): void => {
    this.#window.show(hash);
    this.#quit.onWindowOpened();
    this.#watch.markSeen();
  };

  /**
   * Starts serving the home directory and fills the tray; if a window is opening, after its page has loaded.
   */
  startServingSoon(): void {
    whenLoaded(this.#window.current, systemClock, () => {
      this.#serving.begin();
      this.#watch.begin();
    });
  }

  /**
   * Starts all parts.
   * @param start how this process was started
   * @returns whether something was opened that it was started with
   */
  begin(start: ProcessStart): boolean {
    const { operations, streams } = registerWindowHandlers({ ipcMain, shell }, this.#engine.api, (name) =>
      this.#watch.refreshAfter(name),
    );
    this.#operations = operations;
    registerDesktop(ipcMain, {
      ...desktopSettingsHandlers(this.#settings, this.#notifier),
      ...this.#system.handlers,
    });
    registerDroppedFiles(ipcMain, this.#system.recent);
    const menu = this.#createMenu();
    menu.refresh();
    this.#settings.onChange((settings) => {
      menu.refresh();
      this.#mailbox.notify({ kind: 'settings_changed', settings });
      this.#watch.refreshSoon(0);
    });
    followPower(
      powerMonitor,
      this.#logger,
      () => this.#engine.onClockChanged(),
      () => this.#quit.onSignal(),
    );
    this.#followApp();
    setTestHooks({
      trayMenu: () => this.#tray.menu,
      trayState: () => this.#tray.state,
      liveStreams: () => streams.count,
      preload: appPaths.preload,
    });
    return this.#system.begin(start);
  }

  /** Handles requests of the system and the user to the whole app. */
  #followApp(): void {
    app.on('before-quit', (event) => this.#quit.onBeforeQuit(event));
    for (const signal of endSignals) process.on(signal, () => this.#quit.onSignal());
    // The window is only a view: engine and tray stay when it is closed.
    app.on('window-all-closed', () => {});
    app.on('activate', () => this.open());
    app.on('second-instance', (_event, argv, folder) => {
      const words = launchArgs({ argv, isDefaultApp: !app.isPackaged });
      if (!this.#system.opener.openArgs(words, folder) && !argv.includes(hiddenFlag)) this.open();
    });
  }

  readonly #report = (what: string, error: unknown): void =>
    this.#logger.error(what, { message: getErrorMessage(error) });

  #createWindow(windows: PreparedWindow): MainWindow {
    return new MainWindow({
      ...windowBounds({ home: this.#engine.home, screen }),
      createWindow: (options) => windows.take(options),
      load: (window, address) => windows.load(window, address),
      guard: (created) => {
        guardNavigation(created.webContents, shell);
        this.#system.followWindow(created);
      },
      watchCrashes: (window) => this.#crashes.follow(window),
      mayClose: () => this.#system.mayCloseWindow() && this.#closing.mayClose(),
      onClosed: () => this.#closing.onClosed(),
      onFocus: () => this.#watch.markSeen(),
      clock: systemClock,
      reportFailure: this.#report,
    });
  }

  #createSystem(): SystemServices {
    const engine = this.#engine;
    return openSystemServices({
      engine,
      settings: this.#settings,
      clock: systemClock,
      app,
      dialog,
      session: session.defaultSession,
      window: () => this.#window.current,
      show: (address) => this.open(address),
      notify: (message) => this.#mailbox.notify(message),
      ask: (options) => this.#ask(options),
      idle: async () => {
        await this.#serving.pauseServices();
        await waitForRuns(engine);
      },
      resume: () => this.#serving.resume(),
      closeEngine: () => this.#quit.leaveForUpdate(),
      reportFailure: this.#report,
    });
  }

  #createNotifier(): Notifier {
    return new Notifier({
      isSupported: () => Notification.isSupported(),
      create: (options) => new Notification(options),
      open: (address) => this.open(address),
      retry: (run) => {
        this.#engine.api
          .call('runs.retry', run, windowCaller)
          .catch((error: unknown) => this.#reportProblem(getErrorMessage(error)));
      },
      showInWindow: (notice) => this.#mailbox.notify({ kind: 'notice', notice }),
      reportFailure: this.#report,
    });
  }

  #reportProblem(text: string): void {
    this.open();
    this.#mailbox.notify({ kind: 'notice', notice: { tone: 'error', text } });
  }

  #createActions(): DesktopActions {
    return desktopActions({
      api: this.#engine.api,
      clock: systemClock,
      open: (hash) => this.open(hash),
      quit: () => app.quit(),
      notify: (message) => this.#mailbox.notify(message),
      ask: (options) => this.#ask(options),
      onChanged: () => this.#watch.refreshSoon(0),
    });
  }

  #createMenu(): AppMenu {
    const { files, recent } = this.#system;
    return new AppMenu(
      (template) => Menu.setApplicationMenu(Menu.buildFromTemplate(template)),
      () => recent.list(),
      {
        ...this.#actions,
        newWorkflow: () => this.open('#/new'),
        openFile: () => files.openByMenu(),
        openRecent: (file) => files.openRecentByMenu(file),
        clearRecent: () => recent.clear(),
        exportShown: () => files.exportByMenu(),
      },
      process.platform,
    );
  }

  #ask(options: MessageBoxOptions): Promise<{ response: number }> {
    const { current } = this.#window;
    return current === undefined ? dialog.showMessageBox(options) : dialog.showMessageBox(current, options);
  }

  #createQuitFlow(): QuitFlow {
    const engine = this.#engine;
    return new QuitFlow({
      activeRuns: () => engine.activeExecutions().length,
      ask: (options) => this.#ask(options),
      hasService: () => this.#system.hasService(),
      pauseServices: () => this.#serving.pauseServices(),
      serve: () => this.#serving.resume(),
      runsEnded: () => waitForRuns(engine),
      closeEngine: () => this.#close('stop'),
      handOver: () => this.#close('leave'),
      closeWindow: () => void this.#window.close(),
      quit: () => app.quit(),
      reportFailure: (error) => this.#report('Quitting failed', error),
    });
  }

  async #close(runs: 'stop' | 'leave'): Promise<void> {
    this.#serving.end();
    this.#notices.stop();
    this.#system.stop();
    this.#watch.stop();
    // The page may save a draft while it closes, which needs the engine.
    await this.#window.close();
    await this.#operations?.settled();
    await this.#engine.close(runs);
    this.#keepAwake.set(false);
    this.#tray.destroy();
  }

  #createCloseHandler(): CloseHandler {
    return new CloseHandler({
      settings: () => this.#settings.current.life,
      change: (change) => this.#settings.change(change),
      hasTray: () => this.#tray.exists,
      isLeaving: () => this.#quit.isLeaving,
      notify: (notice, onRefused) => this.#notifier.show(notice, onRefused),
      showMessage: (options) => void dialog.showMessageBox(options),
      quit: () => app.quit(),
    });
  }

  #createHomeWatch(): HomeWatch {
    return new HomeWatch(
      this.#engine.api,
      systemClock,
      () => this.#settings.current.tray.favourites,
      (nextState) => {
        this.#tray.show(nextState);
        this.#keepAwake.set(this.#settings.current.power.keepAwake && nextState.running.length > 0);
      },
    );
  }
}
