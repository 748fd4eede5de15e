import path from 'node:path';
import type { BrowserWindow, BrowserWindowConstructorOptions, Screen, Session } from 'electron';
import { places } from '../places.ts';
import { pageAddress, serveBundle } from './app-scheme.ts';
import type { CrashWatch } from './crash-watch.ts';
import { describeWindow } from './main-window.ts';
import { denyPermissions } from './navigation.ts';
import { PreparedWindow } from './prepared-window.ts';

/** What the first window is made with. */
export interface FirstWindow {
  readonly home: string;
  readonly session: Session;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly crashes: Pick<CrashWatch, 'page'>;
  /** Stays away when the app starts hidden; begins without a page when another one than the first may be asked for. */
  readonly start: 'hidden' | 'without page' | 'with page';
  createWindow(options: BrowserWindowConstructorOptions): BrowserWindow;
}

/** Where the window finds its place and its parts. */
export const windowPlaces = ({ home, screen }: Pick<FirstWindow, 'home' | 'screen'>) => ({
  workAreas: () => screen.getAllDisplays().map((display) => display.workArea),
  stateFile: path.join(home, 'desktop', 'window.json'),
  preload: places.preload,
  icon: places.icon,
});

/** Has the page come while the engine is opened: nothing that it asks of that is answered before it is there. */
export function prepareWindow(first: FirstWindow): PreparedWindow {
  const { session, crashes, start } = first;
  session.protocol.handle(
    'app',
    serveBundle(places.renderer, () => crashes.page()),
  );
  denyPermissions(session);
  const windows = new PreparedWindow((options) => first.createWindow(options));
  if (start !== 'hidden')
    windows.prepare(
      describeWindow(windowPlaces(first)).options,
      start === 'with page' ? pageAddress : undefined,
    );
  return windows;
}
