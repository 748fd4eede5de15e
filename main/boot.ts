import path from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  screen,
  session,
  shell,
  Tray,
} from 'electron';
import type { Logger } from '../core/base/logger.ts';
import { checkInputs, openEngine, systemClock, type EngineHost } from '../core/index.ts';
import { registerLogFiles } from './ipc/register-log-files.ts';
import { registerOperations } from './ipc/register-operations.ts';
import { registerStreams } from './ipc/register-streams.ts';
import { places } from './places.ts';
import { fileLogger } from './shell/file-logger.ts';
import { applicationMenu } from './shell/menu.ts';
import { QuitFlow } from './shell/quit.ts';
import { AppTray } from './shell/tray.ts';
import { watchRuns } from './shell/watch-runs.ts';
import { setTestHooks } from './test-hooks.ts';
import { serveBundle } from './windows/app-scheme.ts';
import { MainWindow } from './windows/main-window.ts';
import { denyPermissions, guardNavigation } from './windows/navigation.ts';

/** How a session, a service manager or a terminal that closes ends the app. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Starts the app on a home: engine, window, tray. Called once, when Electron is ready. Rejects when the engine cannot be opened. */
export async function boot(home: string): Promise<void> {
  const logger = fileLogger(path.join(home, 'logs', 'desktop.log'), systemClock);
  const engine = openEngine({
    home,
    clock: systemClock,
    logger,
    version: app.getVersion(),
    kind: 'desktop',
    samplesDir: places.samples,
  });
  serveHome(engine, logger);
  session.defaultSession.protocol.handle('app', serveBundle(places.renderer));
  denyPermissions(session.defaultSession);
  serveWindows(engine);
  const window = new MainWindow({
    createWindow: (options) => new BrowserWindow(options),
    workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
    guard: (created) => guardNavigation(created.webContents, shell),
    preload: places.preload,
    stateFile: path.join(home, 'desktop', 'window.json'),
    icon: places.icon,
    reportFailure: (what, thrown) => logger.error(what, { message: String(thrown) }),
  });
  const open = (hash?: string): void => {
    window.show(hash);
    quitFlow.onWindowOpened();
  };
  const quit = (): void => app.quit();
  Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu({ open, quit })));
  const tray = new AppTray({
    createTray: () => new Tray(nativeImage.createFromPath(places.trayIcon)),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    open,
    quit,
  });
  const stopWatching = watchRuns(engine.api, systemClock, (picture) => tray.show(picture));
  const quitFlow = new QuitFlow({
    activeRuns: () => engine.drivenRuns().length,
    ask: (options) =>
      window.current === undefined
        ? dialog.showMessageBox(options)
        : dialog.showMessageBox(window.current, options),
    standDown: () => engine.standDown(),
    serve: () => serveHome(engine, logger),
    runsEnded: () => waitForRuns(engine),
    closeEngine: async () => {
      stopWatching();
      await engine.close('stop');
      tray.destroy();
    },
    closeWindow: () => window.current?.close(),
    quit,
    reportFailure: (thrown) => logger.error('Quitting failed', { message: String(thrown) }),
  });
  followApp(quitFlow, open);
  setTestHooks({ trayMenu: () => tray.menu, preload: places.preload });
  open();
}

/** Lets the window reach the engine. */
function serveWindows(engine: EngineHost): void {
  const api = checkInputs(engine.api);
  registerOperations(ipcMain, api);
  registerStreams(ipcMain, api);
  registerLogFiles(ipcMain, api, shell);
}

/** Does what the system and the person ask of the app as a whole. */
function followApp(quitFlow: QuitFlow, open: () => void): void {
  app.on('before-quit', (event) => quitFlow.onBeforeQuit(event));
  for (const signal of endSignals) process.on(signal, () => quitFlow.onSignal());
  // The window is only a view: engine and tray stay when it is closed.
  app.on('window-all-closed', () => {});
  app.on('activate', () => open());
  app.on('second-instance', () => open());
}

/** The app stays, so it does what a home needs somebody for. */
function serveHome(engine: EngineHost, logger: Logger): void {
  engine.monitorResources();
  engine.keepTakingOver();
  engine.processQueues();
  engine
    .startScheduling()
    .catch((thrown: unknown) => logger.error('Schedules are not served', { message: String(thrown) }));
}

/** Runs may start others before they end, so the list is looked at again. */
async function waitForRuns(engine: EngineHost): Promise<void> {
  for (let runs = engine.drivenRuns(); runs.length > 0; runs = engine.drivenRuns()) {
    await Promise.all(runs.map((run) => engine.waitForEnd(run)));
  }
}
