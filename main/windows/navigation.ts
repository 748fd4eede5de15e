import type { Session, Shell, WebContents } from 'electron';
import { appOrigin } from './app-scheme.ts';

/** Prevents navigation to foreign pages and new windows; web links open in the browser. */
export function guardNavigation(contents: WebContents, shell: Pick<Shell, 'openExternal'>): void {
  contents.on('will-navigate', (event) => {
    if (!event.url.startsWith(`${appOrigin}/`)) event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebAddress(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** Electron grants every permission by default; the app only needs clipboard write access. */
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
