import path from 'node:path';
import { app, BrowserWindow, dialog, safeStorage, screen, session } from 'electron';
import { messageOf } from '../core/base/errors.ts';
import { openEngine, systemClock, Watchdog } from '../core/index.ts';
import { appId } from './app-id.ts';
import { Desktop } from './desktop.ts';
import { DesktopKeychain } from './keychain/desktop-keychain.ts';
import { hasOpenRequest, type ProcessStart } from './open/follow-openings.ts';
import { shouldStartHidden } from './open/launch-args.ts';
import type { OpenEventQueue } from './open/openings.ts';
import { appPaths } from './places.ts';
import { DesktopSettingsFile } from './settings/desktop-settings.ts';
import { fileLogger } from './shell/file-logger.ts';
import { CrashWatch } from './windows/crash-watch.ts';
import { prepareWindow } from './windows/prepare-window.ts';

/**
 * Starts the app on a home directory: engine, window, tray. Called once, when Electron is ready. Rejects if the
 * engine cannot be opened.
 */
export async function boot(home: string, openings: OpenEventQueue): Promise<void> {
  if (process.platform === 'win32') app.setAppUserModelId(appId);
  const hidden = shouldStartHidden({
    argv: process.argv,
    platform: process.platform,
    wasOpenedAtLogin: () => app.getLoginItemSettings().wasOpenedAtLogin,
  });
  const start = ownStart(openings);
  const logFile = path.join(home, 'logs', 'desktop.log');
  const logger = fileLogger(logFile, systemClock);
  const watchdog = startWatchdog(logFile);
  const reportFailure = (what: string, error: unknown): void =>
    logger.error(what, { message: messageOf(error) });
  const crashes = new CrashWatch({
    clock: systemClock,
    about: `Stepwright ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
    reportFailure,
  });
  const windows = prepareWindow({
    home,
    session: session.defaultSession,
    screen,
    crashes,
    start: hidden ? 'hidden' : hasOpenRequest(start) ? 'without page' : 'with page',
    createWindow: (options) => new BrowserWindow(options),
  });
  const settings = new DesktopSettingsFile({
    file: path.join(home, 'desktop', 'desktop.json'),
    reportFailure,
  });
  const keychain = new DesktopKeychain({
    safeStorage,
    platform: process.platform,
    file: path.join(home, 'desktop', 'keychain.json'),
    clock: systemClock,
  });
  const engine = openEngine({
    keychain,
    home,
    clock: systemClock,
    logger,
    version: app.getVersion(),
    kind: 'desktop',
    watchdog,
    samplesDir: appPaths.samples,
  });
  const desktop = new Desktop({ engine, logger, settings, keychain, windows, crashes });
  const hasShown = desktop.begin(start);
  watchdog.handleSignals('always');
  if (!hidden && !hasShown) desktop.open();
  desktop.startServingSoon();
}

/** Starts the watchdog, which restarts the app when its event loop is blocked. */
function startWatchdog(logFile: string): Watchdog {
  const watchdog = new Watchdog({
    clock: systemClock,
    onEnd: () => app.relaunch(),
  });
  watchdog.configure({ logFile });
  watchdog.onSetAside((what) => {
    void dialog.showMessageBox({
      type: 'warning',
      title: 'Stepwright',
      message: `Stepwright skipped ${what}`,
      detail:
        'The app crashed twice while processing it, so it was skipped. See logs/desktop.log for details.',
      buttons: ['OK'],
    });
  });
  return watchdog;
}

/** Returns how this process was started. */
const ownStart = (openings: OpenEventQueue): ProcessStart => ({
  openings,
  argv: process.argv,
  folder: process.cwd(),
  isDefaultApp: !app.isPackaged,
  execPath: process.execPath,
});
