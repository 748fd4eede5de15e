import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { app, BrowserWindow, dialog, safeStorage, screen, session } from 'electron';
import { toIso, type Clock } from '../core/base/clock.ts';
import type { JsonObject } from '../core/base/json.ts';
import type { Logger } from '../core/base/logger.ts';
import { getErrorMessage } from '../core/base/errors.ts';
import { openEngine, systemClock, Watchdog } from '../core/index.ts';
import {
  appId,
  hasOpenRequest,
  type ProcessStart,
  shouldStartHidden,
  type OpenEventQueue,
} from './launch-args.ts';
import { Desktop } from './desktop.ts';
import { DesktopKeychain } from './keychain.ts';
import { appPaths, prepareWindow } from './prepare-window.ts';
import { DesktopSettingsFile } from './settings.ts';
import { CrashWatch } from './crash-watch.ts';

/** Returns a logger that writes one JSON line per message, because a desktop app has no terminal. */
function fileLogger(file: string, clock: Clock): Logger {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const write =
    (level: string) =>
    (message: string, fields: JsonObject = {}) => {
      const line = JSON.stringify({ at: toIso(clock.now()), level, message, ...fields });
      try {
        appendFileSync(file, `${line}\n`, { mode: 0o600 });
      } catch {
        // A full disk must not end the app; the user sees the engine's own error.
      }
    };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}

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
  const start = currentStart(openings);
  const logFile = path.join(home, 'logs', 'desktop.log');
  const logger = fileLogger(logFile, systemClock);
  const watchdog = startWatchdog(logFile);
  const reportFailure = (what: string, error: unknown): void =>
    logger.error(what, { message: getErrorMessage(error) });
  const crashes = new CrashWatch(
    systemClock,
    `Stepwright ${app.getVersion()}, Electron ${process.versions.electron}, ${process.platform} ${process.arch}`,
    reportFailure,
  );
  const windows = prepareWindow({
    home,
    session: session.defaultSession,
    screen,
    crashes,
    start: hidden ? 'hidden' : hasOpenRequest(start) ? 'without page' : 'with page',
    createWindow: (options) => new BrowserWindow(options),
  });
  const settings = new DesktopSettingsFile(path.join(home, 'desktop', 'desktop.json'), reportFailure);
  const keychain = new DesktopKeychain(safeStorage, process.platform, home);
  const engine = await openEngine({
    keychain,
    appKey: keychain,
    home,
    clock: systemClock,
    logger,
    version: app.getVersion(),
    kind: 'desktop',
    watchdog,
    samplesDir: appPaths.samples,
    showNotice: (notification) => desktop.showNotification(notification),
  });
  const desktop = new Desktop({ engine, logger, settings, windows, crashes });
  const hasShown = desktop.begin(start);
  watchdog.handleSignals('always');
  if (!hidden && !hasShown) desktop.open();
  desktop.startServingSoon();
  keychain.moveEntries(engine.api).catch((error: unknown) => reportFailure('Secrets', error));
}

/** Starts the watchdog, which restarts the app when its event loop is blocked. */
function startWatchdog(logFile: string): Watchdog {
  const watchdog = new Watchdog(systemClock, () => app.relaunch());
  watchdog.configure({ logFile });
  watchdog.onQuarantine((what) => {
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
const currentStart = (openings: OpenEventQueue): ProcessStart => ({
  openings,
  argv: process.argv,
  folder: process.cwd(),
  isDefaultApp: !app.isPackaged,
  execPath: process.execPath,
});
