import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { appOrigin, appScheme, serveBundle } from '../../main/app-scheme.ts';
import { makeTemporaryFolder } from '../harness/resources.ts';

let get: (address: string) => Promise<Response>;

beforeEach(() => {
  const folder = makeTemporaryFolder();
  const root = path.join(folder, 'renderer');
  mkdirSync(path.join(root, 'assets'), { recursive: true });
  mkdirSync(path.join(folder, 'renderer-private'));
  writeFileSync(path.join(root, 'index.html'), '<p>hello</p>');
  writeFileSync(path.join(root, 'assets', 'a b.js'), 'export {};');
  writeFileSync(path.join(root, 'assets', 'x.css'), 'p {}');
  writeFileSync(path.join(root, 'assets', 'x.woff2'), new Uint8Array([0, 255, 128]));
  writeFileSync(path.join(root, 'notes.exe'), 'not for pages');
  writeFileSync(path.join(folder, 'secret.json'), '{}');
  writeFileSync(path.join(folder, 'renderer-private', 'secret.json'), '{}');
  const serve = serveBundle(root);
  // Not a real Request: undici rejects app: URLs, and the handler only reads the URL.
  get = (address) => serve({ url: address } as Request);
});

describe('files of the bundle', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', '<p>hello</p>'],
    ['/index.html', 'text/html; charset=utf-8', '<p>hello</p>'],
    ['/index.html?x=1', 'text/html; charset=utf-8', '<p>hello</p>'],
    ['/assets/a%20b.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['/assets/x.css', 'text/css; charset=utf-8', 'p {}'],
  ])('%s is served as %s', async (address, type, text) => {
    const response = await get(appOrigin + address);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(text);
  });

  test('bytes are unchanged', async () => {
    const response = await get(`${appOrigin}/assets/x.woff2`);
    expect(response.headers.get('content-type')).toBe('font/woff2');
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 128]));
  });

  test('every document response has the policy', async () => {
    const policy = (await get(`${appOrigin}/index.html`)).headers.get('content-security-policy') ?? '';
    const rules = new Map(
      policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    );
    expect(rules.get('default-src')).toBe("'self'");
    expect(rules.get('script-src')).toBe("'self'");
    expect(rules.get('connect-src')).toBe("'self'");
    for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(rules.get(name)).toBe("'none'");
    }
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).not.toMatch(/https?:/);
  });
});

describe('everything else is not found', () => {
  test.each([
    ['a missing file', `${appOrigin}/missing.js`],
    ['a folder', `${appOrigin}/assets`],
    ['a type that pages do not need', `${appOrigin}/notes.exe`],
    ['a parent folder', `${appOrigin}/../secret.json`],
    ['an encoded parent folder', `${appOrigin}/%2e%2e/secret.json`],
    ['an encoded slash', `${appOrigin}/..%2fsecret.json`],
    ['an encoded slash further down', `${appOrigin}/assets/..%2f..%2fsecret.json`],
    ['a sibling with the same prefix', `${appOrigin}/..%2frenderer-private/secret.json`],
    ['an absolute path', `${appOrigin}//etc/hostname.json`],
    ['a NUL byte', `${appOrigin}/index.html%00.js`],
    ['an invalid escape', `${appOrigin}/%E0%A4%A.js`],
    ['another host', 'app://elsewhere/index.html'],
    ['another host prefixed with ours', 'app://stepwright.example/index.html'],
  ])('%s', async (_what, address) => {
    const response = await get(address);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('Not found');
  });
});

test('the scheme behaves like https, without the privilege to bypass the policy', () => {
  expect(appScheme.privileges).toMatchObject({ standard: true, secure: true, supportFetchAPI: true });
  expect(appScheme.privileges).not.toHaveProperty('bypassCSP');
});
