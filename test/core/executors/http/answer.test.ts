import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runHttp, startServer } from './http-harness.ts';

const startAnswer = (answer: (response: ServerResponse, path: string) => void) =>
  startServer((request, response) => answer(response, request.url!));

describe('output', () => {
  it('is the status line, the headers and the body', async () => {
    const { url, quiet } = await startAnswer((response) => {
      response.sendDate = false;
      response.writeHead(201, { 'Content-Type': 'text/plain', 'Set-Cookie': ['a=1', 'b=2'] }).end('made\n');
    });
    const { end, stdout, stderr } = await runHttp(`GET ${url}/`);
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe(
      'HTTP/1.1 201 Created\ncontent-type: text/plain\nset-cookie: a=1\nset-cookie: b=2\nconnection: close\ntransfer-encoding: chunked\n\nmade\n',
    );
    expect(stderr).toBe('');
    await quiet();
  });

  it('is the body alone with "silent"', async () => {
    const { url } = await startAnswer((response) => response.end('just this'));
    expect((await runHttp(`GET ${url}/`, { silent: true })).stdout).toBe('just this');
  });

  it('is JSON with "json", where a JSON body keeps its long numbers', async () => {
    const { url } = await startAnswer((response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end('{"id": 12345678901234567890, "name": "ü"}\n');
    });
    const { stdout } = await runHttp(`GET ${url}/`, { json: true });
    expect(stdout).toContain('"body":{"id": 12345678901234567890, "name": "ü"}}');
    expect(JSON.parse(stdout)).toMatchObject({
      status_code: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { name: 'ü' },
    });
  });

  it.each([
    ['text/plain', '[1, 2]', [1, 2]],
    ['application/problem+json', '7', 7],
    ['text/plain', '7', '7'],
    ['application/json', '{broken', '{broken'],
    ['text/html', '', ''],
  ])('with "json" contains a %s body %j as %j', async (type, body, expected) => {
    const { url } = await startAnswer((response) => response.setHeader('content-type', type).end(body));
    const { end, stdout } = await runHttp(`GET ${url}/`, { json: true });
    expect(end).toEqual({ exitCode: 0 });
    expect((JSON.parse(stdout) as { body: unknown }).body).toEqual(expected);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('is decompressed from %s, unless the step requested the encoding itself', async (encoding, pack) => {
    const { url } = await startAnswer((response) => {
      response.setHeader('content-encoding', encoding).end(pack('plain again'));
    });
    const { stdout } = await runHttp(`GET ${url}/`);
    expect(stdout).toMatch(/\n\nplain again$/);
    expect(stdout).not.toContain('content-encoding');
    const own = await runHttp(`GET ${url}/`, { headers: { 'Accept-Encoding': encoding } });
    expect(own.stdout).toContain(`content-encoding: ${encoding}`);
    expect((await runHttp(`HEAD ${url}/`)).end).toEqual({ exitCode: 0 });
  });

  it('is decoded with the charset of the response', async () => {
    const { url } = await startAnswer((response, path) => {
      response.setHeader('content-type', `text/plain; charset=${path.slice(1)}`);
      response.end(Buffer.from([0x67, 0xfc, 0x6e]));
    });
    expect((await runHttp(`GET ${url}/iso-8859-1`, { silent: true })).stdout).toBe('gün');
    expect((await runHttp(`GET ${url}/no-such-charset`, { silent: true })).stdout).toBe('g\uFFFDn');
  });

  it('keeps multi-byte characters whole across chunks', async () => {
    const { url } = await startAnswer((response) => {
      const [first, second] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)];
      response.write(first);
      setImmediate(() => response.end(second));
    });
    expect((await runHttp(`GET ${url}/`, { silent: true })).stdout).toBe('ü');
  });
});

describe('large body', () => {
  it('is truncated in the log with a note, and its connection closed', async () => {
    const { url, quiet } = await startAnswer((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { end, stdout, stderr } = await runHttp(`GET ${url}/`, { silent: true, maxBodyBytes: 100_000 });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout.length).toBe(100_000);
    expect(stderr).toContain(
      'Response body truncated after 100000 bytes. Save it with config.saveTo, or raise config.maxBodyBytes.',
    );
    await quiet();
  });

  it('of exactly the limit is not truncated', async () => {
    const { url } = await startAnswer((response) => response.end('x'.repeat(1000)));
    const { stdout, stderr } = await runHttp(`GET ${url}/`, { silent: true, maxBodyBytes: 1000 });
    expect([stdout.length, stderr]).toEqual([1000, '']);
  });

  it('fails a step with JSON output, since a part is not valid JSON', async () => {
    const { url } = await startAnswer((response) => response.end('x'.repeat(1001)));
    const { end, stdout } = await runHttp(`GET ${url}/`, { json: true, maxBodyBytes: 1000 });
    expect(end.error).toContain('the response body exceeds 1000 bytes, which is too large for "json".');
    expect(stdout).toBe('');
  });
});

describe('saving the body', () => {
  it('saves a body of any size to a file, without holding it in memory', async () => {
    const workingDir = makeTemporaryFolder();
    const block = Buffer.alloc(1024 * 1024, 'x');
    const blocks = 128;
    const { url } = await startAnswer((response) => {
      let sent = 0;
      const more = (): void => {
        while (sent < blocks) {
          sent += 1;
          if (!response.write(block)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const before = process.memoryUsage().rss;
    const { end, stdout, stderr } = await runHttp(`GET ${url}/`, { saveTo: 'new/big.bin' }, { workingDir });
    expect(end).toEqual({ exitCode: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(readFileSync(join(workingDir, 'new/big.bin')).length).toBe(blocks * block.length);
    expect(readdirSync(join(workingDir, 'new'))).toEqual(['big.bin']);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\n[^]*\n\n$/);
    expect(stderr).toBe(`saved ${blocks * block.length} bytes to ${join(workingDir, 'new/big.bin')}\n`);
  });

  it('replaces a file only when the body is complete', async () => {
    const workingDir = makeTemporaryFolder();
    writeFileSync(join(workingDir, 'data.txt'), 'old');
    const { url } = await startAnswer((response, path) => {
      response.setHeader('content-length', '10');
      if (path === '/whole') return void response.end('0123456789');
      response.write('01234', () => response.destroy());
    });
    const broken = await runHttp(`GET ${url}/broken`, { saveTo: 'data.txt' }, { workingDir });
    expect(broken.end.error).toContain('was closed while reading the response body (0 bytes received)');
    expect(broken.end.error).toContain('the connection to 127.0.0.1:');
    expect(readdirSync(workingDir)).toEqual(['data.txt']);
    expect(readFileSync(join(workingDir, 'data.txt'), 'utf8')).toBe('old');
    const whole = await runHttp(`GET ${url}/whole`, { saveTo: 'data.txt', json: true }, { workingDir });
    expect(JSON.parse(whole.stdout)).toMatchObject({
      body: null,
      file: join(workingDir, 'data.txt'),
      bytes: 10,
    });
    expect(readFileSync(join(workingDir, 'data.txt'), 'utf8')).toBe('0123456789');
  });

  it('leaves the body of a failure in the log', async () => {
    const workingDir = makeTemporaryFolder();
    const { url } = await startAnswer((response) => response.writeHead(500).end('not yours'));
    const { end, stdout } = await runHttp(
      `GET ${url}/`,
      { saveTo: 'data.txt', silent: true },
      { workingDir },
    );
    expect(end.exitCode).toBe(1);
    expect(stdout).toBe('not yours');
    expect(readdirSync(workingDir)).toEqual([]);
  });

  it('reports a file that cannot be written', async () => {
    const workingDir = makeTemporaryFolder();
    const { url, quiet } = await startAnswer((response) => response.end('x'));
    const run = (saveTo: string) => runHttp(`GET ${url}/`, { saveTo }, { workingDir });
    expect((await run('.')).end.error).toContain(`cannot save the response body to ${workingDir}`);
    writeFileSync(join(workingDir, 'file'), '');
    expect((await run('file/below')).end.error).toMatch(
      /cannot save the response body to .*below: (another file or folder already exists there|a part of the path is a file); /,
    );
    expect(readdirSync(workingDir)).toEqual(['file']);
    await quiet();
  });
});

describe('error response', () => {
  it('fails the step with an excerpt of the body, which is still written', async () => {
    const body = `<p>no\tsuch\u0007 item</p>\n${'x'.repeat(5000)}`;
    const { url, quiet } = await startAnswer((response) => response.writeHead(404).end(body));
    const { end, stdout } = await runHttp(`GET ${url}/a?b=c`);
    expect(end.exitCode).toBe(1);
    expect(end.error).toMatch(
      /the server responded with 404 Not Found: <p>no such item<\/p> xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…$/,
    );
    expect(end.error!.length).toBeLessThan(620);
    expect(stdout).toContain('HTTP/1.1 404 Not Found\n');
    expect(stdout).toContain(body);
    await quiet();
  });

  it('writes its JSON too', async () => {
    const { url } = await startAnswer((response) => response.writeHead(503).end('{"why":"busy"}'));
    const { end, stdout } = await runHttp(`GET ${url}/`, { json: true });
    expect(end).toEqual({
      exitCode: 1,
      error: `GET ${url}/: the server responded with 503 Service Unavailable: {"why":"busy"}`,
    });
    expect(JSON.parse(stdout)).toMatchObject({ status_code: 503, body: { why: 'busy' } });
  });

  it('can have no body', async () => {
    const { url } = await startAnswer((response) => response.writeHead(304).end());
    expect((await runHttp(`GET ${url}/`)).end.error).toContain(
      'the server responded with 304 Not Modified without a body',
    );
  });
});
