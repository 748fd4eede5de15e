import type { Session, Shell, WebContents } from 'electron';
import { appOrigin } from './app-scheme.ts';

/** Keeps a page where it is: no foreign navigation, no new windows; web links open in the browser. */
export function guardNavigation(contents: WebContents, shell: Pick<Shell, 'openExternal'>): void {
  contents.on('will-navigate', (event) => {
    if (!event.url.startsWith(`${appOrigin}/`)) event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebAddress(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** Electron grants every permission unless told otherwise; the app needs only to write to the clipboard. */
export function denyPermissions(
  session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  );
  session.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
}

function isWebAddress(url: string): boolean {
  try {
    return new URL(url).protocol === 'https:';
  } catch {
    return false;
  }
}
