import path from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Screen, Session } from 'electron';
import { appPaths } from '../places.ts';
import { pageUrl, serveBundle } from './app-scheme.ts';
import type { CrashWatch } from './crash-watch.ts';
import { describeWindow } from './main-window.ts';
import { denyPermissions } from './navigation.ts';
import { PreparedWindow } from './prepared-window.ts';

/** Options of the first window. */
export interface FirstWindow {
  readonly home: string;
  readonly session: Session;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly crashes: Pick<CrashWatch, 'page'>;
  /** Hidden at a hidden start; without a page if a page other than the first may be requested. */
  readonly start: 'hidden' | 'without page' | 'with page';
  createWindow(options: BrowserWindowConstructorOptions): BrowserWindow;
}

/** Where the window finds its stored position and its parts. */
export const windowBounds = ({ home, screen }: Pick<FirstWindow, 'home' | 'screen'>) => ({
  workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
  stateFile: path.join(home, 'desktop', 'window.json'),
  preload: appPaths.preload,
  icon: appPaths.icon,
});

/** Loads the page while the engine is being opened; its requests wait until the engine is ready. */
export function prepareWindow(first: FirstWindow): PreparedWindow {
  const { session, crashes, start } = first;
  session.protocol.handle(
    'app',
    serveBundle(appPaths.renderer, () => crashes.page()),
  );
  denyPermissions(session);
  const windows = new PreparedWindow((options) => first.createWindow(options));
  if (start !== 'hidden')
    windows.prepare(describeWindow(windowBounds(first)).options, start === 'with page' ? pageUrl : undefined);
  return windows;
}
