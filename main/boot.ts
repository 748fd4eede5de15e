import path from 'node:path';
import { app, BrowserWindow, safeStorage, screen, session } from 'electron';
import { messageOf } from '../core/base/errors.ts';
import { openEngine, systemClock } from '../core/index.ts';
import { appId } from './app-id.ts';
import { Desktop } from './desktop.ts';
import { DesktopKeychain } from './keychain/desktop-keychain.ts';
import { asksForSomething, type OwnStart } from './open/follow-openings.ts';
import { startsHidden } from './open/launch-words.ts';
import type { Openings } from './open/openings.ts';
import { places } from './places.ts';
import { DesktopSettingsFile } from './settings/desktop-settings.ts';
import { fileLogger } from './shell/file-logger.ts';
import { CrashWatch } from './windows/crash-watch.ts';
import { prepareWindow } from './windows/prepare-window.ts';

/** Starts the app on a home: engine, window, tray. Called once, when Electron is ready. Rejects when the engine cannot be opened. */
export async function boot(home: string, openings: Openings): Promise<void> {
  if (process.platform === 'win32') app.setAppUserModelId(appId);
  const hidden = startsHidden({
    argv: process.argv,
    platform: process.platform,
    wasOpenedAtLogin: () => app.getLoginItemSettings().wasOpenedAtLogin,
  });
  const start = ownStart(openings);
  const logger = fileLogger(path.join(home, 'logs', 'desktop.log'), systemClock);
  const reportFailure = (what: string, thrown: unknown): void =>
    logger.error(what, { message: messageOf(thrown) });
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
    start: hidden ? 'hidden' : asksForSomething(start) ? 'without page' : 'with page',
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
    samplesDir: places.samples,
  });
  const desktop = new Desktop({ engine, logger, settings, keychain, windows, crashes });
  const hasShown = desktop.begin(start);
  if (!hidden && !hasShown) desktop.open();
  desktop.serveSoon();
}

/** How this process was started. */
const ownStart = (openings: Openings): OwnStart => ({
  openings,
  argv: process.argv,
  folder: process.cwd(),
  isDefaultApp: !app.isPackaged,
  execPath: process.execPath,
});
