import { ObjectBridge } from './object-bridge.ts';

/**
 * The part that runs in the page's main world, before the page's scripts: it defines what the preload exposes
 * and sends `window.open` to the main process. It is injected as text, together with ObjectBridge.
 * @param token the secret name shared by both worlds
 */
export function startMainWorld(token: string): void {
  if (window.top !== window) return;
  const bridge = new ObjectBridge(token, 'main', 'isolated');
  bridge.handle('expose', ({ key = '', value }) => {
    if (Object.hasOwn(window, key)) bridge.post({ kind: 'expose-failed', key });
    else Object.defineProperty(window, key, { value: bridge.unpack(value, true), enumerable: true });
  });
  routeWindowOpen((url, frameName, features) => bridge.post({ kind: 'open', url, frameName, features }));
}

/** Sends `window.open` and links to other windows to the window-open handler; nothing is opened here. */
export function routeWindowOpen(ask: (url: string, frameName: string, features: string) => void): void {
  window.open = (url, frameName = '', features = '') => {
    ask(new URL(url || 'about:blank', location.href).href, frameName, features);
    return null;
  };
  window.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || event.defaultPrevented) return;
    const leaves = link.target !== '' && !['_self', '_top', '_parent'].includes(link.target);
    if (!leaves && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    ask(link.href, link.target, '');
  });
}
