import { EventEmitter } from 'node:events';
import type { WebContents, WindowOpenHandlerResponse } from 'electron';
import { describe, expect, test } from 'vitest';
import { denyPermissions, guardNavigation } from '../../main/prepare-window.ts';

class FakeContents extends EventEmitter {
  openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | undefined;
  setWindowOpenHandler(handler: typeof this.openHandler): void {
    this.openHandler = handler;
  }
}

function guard(): { contents: FakeContents; opened: string[] } {
  const contents = new FakeContents();
  const opened: string[] = [];
  const shell = { openExternal: async (url: string) => void opened.push(url) };
  guardNavigation(contents as unknown as WebContents, shell);
  return { contents, opened };
}

describe('navigation by a page', () => {
  const navigate = (url: string): boolean => {
    let prevented = false;
    guard().contents.emit('will-navigate', { url, preventDefault: () => (prevented = true) });
    return !prevented;
  };

  test('may stay within the bundle', () => {
    expect(navigate('app://stepwright/index.html#/runs')).toBe(true);
  });

  test.each([
    'https://example.com/',
    'app://stepwright.example/index.html',
    'app://other/index.html',
    'file:///etc/passwd',
    'data:text/html,<p>x',
    'javascript:alert(1)',
    'about:blank',
  ])('may not go to %s', (url) => {
    expect(navigate(url)).toBe(false);
  });
});

describe('opening a window from a page', () => {
  test.each([
    ['https://example.com/docs', ['https://example.com/docs']],
    ['http://example.com/', []],
    ['file:///etc/passwd', []],
    ['app://stepwright/index.html', []],
    ['javascript:alert(1)', []],
    ['smb://host/share', []],
    ['not a URL', []],
    ['', []],
  ])('%j opens no window; the browser opens %j', (url, given) => {
    const { contents, opened } = guard();
    expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(opened).toEqual(given);
  });
});

describe('permissions', () => {
  function readDecisions(permission: string): { requested: boolean; checked: boolean } {
    let requested = true;
    let checked = true;
    const session = {
      setPermissionRequestHandler: (handler: (...given: unknown[]) => void) =>
        handler(null, permission, (granted: boolean) => (requested = granted)),
      setPermissionCheckHandler: (handler: (...given: unknown[]) => boolean) =>
        (checked = handler(null, permission, 'app://stepwright')),
    };
    denyPermissions(session);
    return { requested, checked };
  }

  test.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'loopback-network'])(
    '%s is denied',
    (permission) => expect(readDecisions(permission)).toEqual({ requested: false, checked: false }),
  );

  test('copying to the clipboard is allowed', () => {
    expect(readDecisions('clipboard-sanitized-write')).toEqual({ requested: true, checked: true });
  });
});
