import type { Protocol as DevTools } from 'devtools-protocol';
import type { Session as ElectronSession } from 'electron';
import type { DevToolsSession } from '../browser/devtools-connection.ts';
import type { WebContents } from '../windows/web-contents.ts';

type RealCheckHandler = NonNullable<Parameters<ElectronSession['setPermissionCheckHandler']>[0]>;
type RealRequestHandler = NonNullable<Parameters<ElectronSession['setPermissionRequestHandler']>[0]>;
type Permission = Parameters<RealRequestHandler>[1];

type CheckHandler = (
  contents: WebContents | null,
  permission: Parameters<RealCheckHandler>[1],
  requestingOrigin: string,
  details: Parameters<RealCheckHandler>[3],
) => boolean;

type RequestHandler = (
  contents: WebContents,
  permission: Permission,
  callback: (granted: boolean) => void,
  details: Parameters<RealRequestHandler>[3],
) => void;

/** The two permission handlers of an application; without one, Electron grants. */
export interface PermissionHandlers {
  check?: CheckHandler | undefined;
  request?: RequestHandler | undefined;
}

/** Electron's names of the permissions that the browser can grant or deny, with the browser's names. */
const PERMISSIONS: readonly (readonly [Permission, readonly string[]])[] = [
  ['clipboard-read', ['clipboard-read']],
  ['clipboard-sanitized-write', ['clipboard-write']],
  ['geolocation', ['geolocation']],
  ['idle-detection', ['idle-detection']],
  ['media', ['camera', 'microphone']],
  ['midi', ['midi']],
  ['notifications', ['notifications']],
];

export interface PermissionSubject {
  readonly handlers: PermissionHandlers;
  /** The contents of the requesting page. */
  readonly contents: WebContents;
  /** The page about to be loaded, by its application and browser URL. */
  readonly applicationUrl: string;
  readonly browserUrl: string;
}

/**
 * Applies the application's decisions to a page. Electron asks when a page needs a permission; here both
 * handlers are called when the page is loaded.
 */
export async function applyPermissions(browser: DevToolsSession, subject: PermissionSubject): Promise<void> {
  const origin = new URL(subject.browserUrl).origin;
  if (origin === 'null') return;
  const decided = PERMISSIONS.map(async ([permission, names]) => {
    const setting: DevTools.Browser.PermissionSetting = (await isGranted(permission, subject))
      ? 'granted'
      : 'denied';
    const settings = names.map((name) =>
      browser.send('Browser.setPermission', { permission: { name }, setting, origin }),
    );
    await Promise.all(settings);
  });
  await Promise.all(decided);
}

async function isGranted(permission: Permission, subject: PermissionSubject): Promise<boolean> {
  const { handlers, contents, applicationUrl } = subject;
  const details = { isMainFrame: true, requestingUrl: applicationUrl };
  if (handlers.check && !handlers.check(contents, permission, applicationUrl, details)) return false;
  const { request } = handlers;
  if (!request) return true;
  return new Promise((resolve) => request(contents, permission, resolve, details));
}
