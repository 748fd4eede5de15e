import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { sendRaw, serve } from '../../harness/server.ts';

function makeWebRoot(): string {
  const webRoot = makeTemporaryFolder();
  writeFileSync(path.join(webRoot, 'index.html'), '<title>Stepwright</title>');
  writeFileSync(path.join(webRoot, 'app.js'), 'export {};');
  return webRoot;
}

test('serves the API, its streams and the web UI below the base path, and nothing elsewhere', async () => {
  await using served = await serve({ basePath: '/tools/flows', webRoot: makeWebRoot() });
  const root = `http://127.0.0.1:${served.port}`;
  expect(served.server.url).toBe(`${root}/tools/flows`);
  const page = await served.fetch('/');
  expect([page.status, await page.text()]).toEqual([200, '<title>Stepwright</title>']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect((await served.fetch('/app.js')).status).toBe(200);
  expect((await served.post('/api/v2/dags/etl/start', { params: 'A' })).status).toBe(200);
  expect(served.api.calls).toMatchObject([{ name: 'dags.start', input: { fileName: 'etl', params: 'A' } }]);
  const stream = await served.fetch('/api/v2/events?after=3');
  expect([stream.status, served.api.streams[0]?.input]).toEqual([200, { after: 3 }]);
  await stream.body?.cancel();
  const description = await served.fetch('/api/v2/openapi.json');
  expect(await description.json()).toMatchObject({ servers: [{ url: '/tools/flows' }] });
  expect((await served.fetch('/api/v2/nothing')).status).toBe(404);
  for (const outside of ['/', '/app.js', '/api/v2/dags', '/tools', '/tools/flowsx/']) {
    const reply = await sendRaw(served.port, outside);
    expect([outside, reply.status]).toEqual([outside, 404]);
    expect(reply.body).not.toContain('export');
  }
  expect(served.api.calls).toHaveLength(1);
});

test('redirects reads from the base path without its slash', async () => {
  await using served = await serve({ basePath: '/flows' });
  const reply = await sendRaw(served.port, '/flows?a=1');
  expect([reply.status, reply.headers['location']]).toEqual([308, '/flows/?a=1']);
  expect((await sendRaw(served.port, '/flows', { method: 'POST' })).status).toBe(404);
});

test('accepts the host name of a proxy', async () => {
  const headers = { host: 'flows.example', origin: 'https://flows.example', 'sec-fetch-site': 'same-origin' };
  await using plain = await serve();
  expect((await sendRaw(plain.port, '/api/v2/dags', { headers })).status).toBe(403);
  await using served = await serve({ publicUrl: 'https://flows.example/tools' });
  expect((await sendRaw(served.port, '/api/v2/dags', { headers })).status).toBe(200);
  const rewritten = { ...headers, host: `127.0.0.1:${served.port}` };
  expect((await sendRaw(served.port, '/api/v2/dags', { headers: rewritten })).status).toBe(200);
  const foreign = { ...headers, origin: 'https://other.example' };
  expect((await sendRaw(served.port, '/api/v2/dags', { headers: foreign })).status).toBe(403);
});
