import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readAll, runHttp, startServer } from './http-harness.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Redirects `/STATUS?to=URL`; responds to everything else. */
async function startRedirecting() {
  const seen: Seen[] = [];
  const server = await startServer((request, response) => {
    void readAll(request).then((body) => {
      const { method, url, headers } = request;
      seen.push({ method: method!, url: url!, headers, body: body.toString() });
      const { pathname, searchParams } = new URL(url!, 'http://127.0.0.1');
      const status = Number(/^\/(3\d\d)$/.exec(pathname)?.[1] ?? 200);
      if (status !== 200) response.setHeader('location', searchParams.get('to') ?? '');
      response.writeHead(status).end('end of the way');
    });
  });
  return { ...server, seen };
}

describe('redirects', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [303, 'HEAD', 'HEAD'],
  ])('by %i turn %s into %s', async (status, method, expected) => {
    const { url, seen, quiet } = await startRedirecting();
    const config = { body: 'data', headers: { 'Content-Type': 'text/csv' } };
    const { end } = await runHttp(`${method} ${url}/${status}?to=/there`, method === 'HEAD' ? {} : config);
    expect(end).toEqual({ exitCode: 0 });
    const last = seen.at(-1)!;
    expect(last).toMatchObject({
      method: expected,
      url: '/there',
      body: method === 'HEAD' || expected === 'GET' ? '' : 'data',
    });
    expect(last.headers['content-type']).toBe(last.body === '' ? undefined : 'text/csv');
    await quiet();
  });

  it('keep credentials on one server and drop them on another', async () => {
    const [first, second] = [await startRedirecting(), await startRedirecting()];
    const headers = {
      Authorization: 'Bearer a',
      Cookie: 'b',
      'X-Api-Key': 'c',
      'X-Auth-Token': 'd',
      Accept: 'text/plain',
      Host: 'named.example',
    };
    await runHttp(`GET ${first.url}/302?to=/same`, { headers });
    expect(first.seen.at(-1)!.headers).toMatchObject({
      authorization: 'Bearer a',
      cookie: 'b',
      'x-api-key': 'c',
    });
    await runHttp(`GET ${first.url}/302?to=${second.url}/other`, { headers });
    const other = second.seen.at(-1)!.headers;
    expect(other).toMatchObject({ accept: 'text/plain', host: `127.0.0.1:${second.port}` });
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-auth-token'])
      expect(other[name]).toBeUndefined();
  });

  it('keep the user of the URL on one server and drop it on another', async () => {
    const [first, second] = [await startRedirecting(), await startRedirecting()];
    const withUser = first.url.replace('//', '//ann:secret@');
    await runHttp(`GET ${withUser}/302?to=/same`);
    expect(first.seen.at(-1)!.headers.authorization).toMatch(/^Basic /);
    await runHttp(`GET ${withUser}/302?to=${second.url}/other`);
    expect(second.seen.at(-1)!.headers.authorization).toBeUndefined();
  });

  it('are limited', async () => {
    const { url, seen, quiet } = await startRedirecting();
    const { end } = await runHttp(`GET ${url}/302?to=/302`, { maxRedirects: 2 });
    // An empty URL is the same one again.
    expect(end.error).toContain(`more than 2 redirects, next: ${url}/302`);
    expect(end.error).toContain('raise config.maxRedirects');
    expect(seen).toHaveLength(3);
    const byDefault = await runHttp(`GET ${url}/302?to=/302`);
    expect(byDefault.end.error).toContain('more than 10 redirects');
    expect(seen).toHaveLength(14);
    await quiet();
  });

  it('are failures when disabled', async () => {
    const { url, seen } = await startRedirecting();
    const { end, stdout } = await runHttp(`GET ${url}/307?to=/there`, { maxRedirects: 0 });
    expect(end.error).toContain(
      'the server responded with 307 Temporary Redirect and a redirect to /there, but config.maxRedirects is 0',
    );
    expect(stdout).toContain('location: /there');
    expect(seen).toHaveLength(1);
  });

  it('only lead to http and https', async () => {
    const { url } = await startRedirecting();
    const { end } = await runHttp(`GET ${url}/302?to=file:///etc/passwd`);
    expect(end.error).toContain(
      'the server redirects to "file:///etc/passwd", which is not an http or https URL',
    );
  });
});
