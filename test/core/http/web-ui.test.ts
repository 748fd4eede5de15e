import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw, serve } from '../../harness/server.ts';

let parent: string;
let webRoot: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'stepwright-web-'));
  webRoot = join(parent, 'web');
  await mkdir(join(webRoot, 'assets'), { recursive: true });
  await writeFile(
    join(webRoot, 'index.html'),
    '<!doctype html><title>Stepwright</title><script src="./assets/index-B4x9Zq_1.js"></script>',
  );
  await writeFile(join(webRoot, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(webRoot, 'assets', 'index-B4x9Zq_1.js'), 'export {};');
  await writeFile(join(webRoot, '.env'), 'SECRET=1');
  await writeFile(join(parent, 'secret.txt'), 'SECRET');
});

afterAll(() => rm(parent, { recursive: true, force: true }));

test('serves the page at / with its content policy, without caching', async () => {
  await using served = await serve({ webRoot });
  const response = await served.fetch('/');
  expect(await response.text()).toContain('<title>Stepwright</title>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const policy = response.headers.get('content-security-policy');
  for (const part of [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('x-frame-options')).toBe('DENY');
});

test('hashed assets are cached forever, others are revalidated', async () => {
  await using served = await serve({ webRoot });
  const asset = await served.fetch('/assets/index-B4x9Zq_1.js');
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-type')).toMatch(/javascript/);
  const icon = await served.fetch('/favicon.svg');
  expect(icon.headers.get('cache-control')).toBe('no-cache');
  const again = await sendRaw(served.port, '/favicon.svg', {
    headers: { 'if-none-match': icon.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  const head = await served.fetch('/', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

describe('serves nothing outside of the directory', () => {
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/%00',
    '//etc/passwd',
    '/.env',
    '/%2eenv',
    '/assets/',
    '/nothing.js',
  ])('%s', async (path) => {
    await using served = await serve({ webRoot });
    const reply = await sendRaw(served.port, path);
    expect([400, 403, 404]).toContain(reply.status);
    expect(reply.body).not.toContain('SECRET');
    expect(reply.body).not.toContain(parent);
  });
});

test('an API path is never a file, and a page is read-only', async () => {
  await using served = await serve({ webRoot });
  expect((await served.fetch('/api/v2/nothing')).headers.get('content-type')).toMatch(/^application\/json/);
  expect((await served.post('/', {})).status).toBe(404);
});

test('without a directory serves only the API', async () => {
  await using served = await serve();
  const response = await served.fetch('/');
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  expect((await served.fetch('/api/v2/health')).status).toBe(200);
});

describe('the URLs of pages', () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' };

  test.each([
    ['', '/dags', './'],
    ['', '/dags/my.flow/edit?step=one', '../../'],
    ['/flows', '/runs/etl/1', '../../'],
    ['', '/gateway', './'],
  ])('with base path "%s", %s is the index, whose files are at %s', async (basePath, path, prefix) => {
    await using served = await serve({ webRoot, basePath });
    const response = await sendRaw(served.port, basePath + path, { headers });
    expect(response.status).toBe(200);
    expect(response.body).toContain(`src="${prefix}assets/index-B4x9Zq_1.js"`);
    expect(response.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test('other clients, the API, webhooks and assets get no page', async () => {
    await using served = await serve({ webRoot });
    for (const path of ['/api/v2/nowhere', '/webhooks/unknown', '/assets/missing.js']) {
      const response = await sendRaw(served.port, path, { headers });
      expect([path, response.body]).toEqual([path, expect.not.stringContaining('<!doctype')]);
    }
    expect((await sendRaw(served.port, '/dags', { headers: { accept: '*/*' } })).status).toBe(404);
    expect((await sendRaw(served.port, '/dags', { headers, method: 'POST' })).status).toBe(404);
  });
});
