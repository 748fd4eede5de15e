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

/** The two handlers by which an application decides about permissions; without one, Electron grants. */
export interface PermissionHandlers {
  check?: CheckHandler | undefined;
  request?: RequestHandler | undefined;
}

/** Electron's names for what the browser can be told to grant or deny, with the browser's names. */
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
  /** Whose page asks. */
  readonly contents: WebContents;
  /** The page that is about to be loaded, as the application and as the browser name it. */
  readonly applicationUrl: string;
  readonly browserUrl: string;
}

/**
 * Puts the application's decisions into force for a page. Electron asks at the moment a page wants something; here
 * both handlers are asked when the page is loaded.
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
