import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CustomScheme } from 'electron';

const appHost = 'stepwright';

/** Origin of the app's own pages. */
export const appOrigin = `app://${appHost}`;

/** URL of the app's own page; the hash selects the view. */
export const pageUrl = `${appOrigin}/index.html`;

/** Must be registered before the app is ready. */
export const appScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
};

/** React Flow sets inline styles; everything else comes from the bundle. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Path of the page shown when the window's own page keeps crashing. */
export const crashedPath = '/crashed.html';

/**
 * Serves `app://stepwright/…` from the renderer's bundle, and nothing outside it.
 * @param crashed HTML of the page at {@link crashedPath}
 */
export function serveBundle(
  root: string,
  crashed: () => string = () => '',
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    if (url.host === appHost && url.pathname === crashedPath) return answerWith('.html', crashed());
    const file = findFile(root, url);
    const type = file && types[path.extname(file)];
    if (file === undefined || type === undefined) return answerNotFound();
    try {
      return answerWith(path.extname(file), new Uint8Array(await readFile(file)));
    } catch {
      return answerNotFound();
    }
  };
}

const answerWith = (extension: string, body: string | Uint8Array<ArrayBuffer>): Response =>
  new Response(body, {
    headers: {
      'content-type': types[extension]!,
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    },
  });

const answerNotFound = (): Response => new Response('Not found', { status: 404 });

/** Returns the file below `root` for a URL; undefined for another host or a path outside the bundle. */
function findFile(root: string, { host, pathname }: URL): string | undefined {
  if (host !== appHost) return undefined;
  try {
    const file = path.join(root, decodeURIComponent(pathname === '/' ? '/index.html' : pathname));
    return file.startsWith(root + path.sep) ? file : undefined;
  } catch {
    return undefined;
  }
}
