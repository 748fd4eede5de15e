import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runStep } from '../step-harness.ts';
import { httpAction, readAll, runHttp, startServer } from './http-harness.ts';

/** A server that returns what it received. */
const startEcho = () =>
  startServer((request, response) => {
    void readAll(request).then((body) => {
      const { method, url, headers } = request;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ method, url, headers, body: body.toString() }));
    });
  });

const echoOf = (stdout: string) =>
  JSON.parse(stdout) as { method: string; url: string; headers: Record<string, string>; body: string };

describe('request', () => {
  it('has the method, path, query, headers and body of the step', async () => {
    const { url, quiet } = await startEcho();
    const { end, stdout } = await runHttp(`post ${url}/items?a=1`, {
      query: { q: 'two words & more', b: 'ü' },
      headers: { 'Content-Type': 'application/json', 'X-One': '1', 'Content-Length': '9999' },
      body: '{"name":"ü"}',
      silent: true,
    });
    expect(end).toEqual({ exitCode: 0 });
    const echo = echoOf(stdout);
    expect(echo).toMatchObject({
      method: 'POST',
      url: '/items?a=1&q=two+words+%26+more&b=%C3%BC',
      body: '{"name":"ü"}',
      headers: {
        'content-type': 'application/json',
        'x-one': '1',
        'content-length': '13',
        connection: 'close',
      },
    });
    await quiet();
  });

  it('is expanded when the step starts, and can be a list of words', async () => {
    const { url } = await startEcho();
    const choice = {
      expand: (text: string) => text.replaceAll('${NAME}', 'a "b"').replaceAll('${URL}', url),
    };
    const action = {
      ...httpAction('', { body: '${NAME}', timeout: '5', silent: 'true' }),
      argv: ['PUT', '${URL}/x'],
    };
    const { stdout } = await runStep(action, choice);
    expect(echoOf(stdout)).toMatchObject({ method: 'PUT', url: '/x', body: 'a "b"' });
  });

  it('reads its configuration from a JSON script, whose values cannot break it', async () => {
    const { url } = await startEcho();
    const script =
      '{"headers": {"X-Name": "${NAME}"}, "silent": true, "body": "${NAME}", "skip_tls_verify": false}';
    const choice = { expand: (text: string) => text.replaceAll('${NAME}', '"quoted"') };
    const { end, stdout } = await runStep({ ...httpAction(`POST ${url}/`), script }, choice);
    expect(end.error).toBeUndefined();
    expect(echoOf(stdout)).toMatchObject({ body: '"quoted"', headers: { 'x-name': '"quoted"' } });
  });

  it('can read the whole script from a variable', async () => {
    const { url } = await startEcho();
    const run = (value: string) =>
      runStep(
        { ...httpAction(`POST ${url}/`), script: '${CONFIG}' },
        { expand: (text) => text.replace('${CONFIG}', value) },
      );
    expect(echoOf((await run('{"silent": true, "body": "x"}')).stdout).body).toBe('x');
    expect((await run('{"silnt": true}')).end).toEqual({
      exitCode: 1,
      error: 'Unknown field "silnt". Did you mean "silent"? (script.silnt)',
    });
    expect((await run('no')).end.error).toContain('"script" must be a JSON object');
  });

  it('sends a binary file unchanged', async () => {
    const workingDir = makeTemporaryFolder();
    const bytes = randomBytes(300_000);
    writeFileSync(join(workingDir, 'blob.bin'), bytes);
    const received: Buffer[] = [];
    const { url, requests } = await startServer((request, response) => {
      void readAll(request).then((body) => {
        received.push(body);
        response.end();
      });
    });
    const { end } = await runHttp(`PUT ${url}/`, { bodyFile: 'blob.bin' }, { workingDir });
    expect(end).toEqual({ exitCode: 0 });
    expect(received[0]!.equals(bytes)).toBe(true);
    expect(requests[0]!.headers).toMatchObject({
      'content-length': '300000',
      'content-type': 'application/octet-stream',
    });
  });

  it('sends the user and password of the URL as a header only', async () => {
    const { port } = await startEcho();
    const { stdout, stderr } = await runHttp(`GET http://ann:p%40ss@127.0.0.1:${port}/`, {
      silent: true,
      debug: true,
    });
    expect(echoOf(stdout).headers['authorization']).toBe(
      `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
    );
    expect(stderr).toContain(`> GET http://127.0.0.1:${port}/\n`);
    expect(stderr).toContain('> authorization: (not shown)\n');
    expect(stderr).toContain('< HTTP/1.1 200 OK\n');
    expect(stderr).not.toContain('Basic');
  });

  it('carries the trace of the run unless the step has a header for it', async () => {
    const { url } = await startEcho();
    const env = { TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    const trace = async (headers: Record<string, string>, given: Record<string, string>) =>
      echoOf((await runHttp(`GET ${url}/`, { headers, silent: true }, { env: given })).stdout).headers[
        'traceparent'
      ];
    expect(await trace({}, env)).toBe(env.TRACEPARENT);
    expect(await trace({ Traceparent: 'own' }, env)).toBe('own');
    expect(await trace({}, {})).toBeUndefined();
  });
});

describe('invalid request', () => {
  it.each([
    ['GET http://[::1', {}, 'invalid URL "http://[::1". Check the host and port'],
    ['GET http://127.0.0.1:1/', { headers: { 'a b': '1' } }, 'invalid header "a b" in config.headers.'],
    ['GET http://127.0.0.1:1/', { headers: { a: 'x\ny' } }, 'invalid header "a" in config.headers.'],
    ['GET http://127.0.0.1:1/', { bodyFile: 'none' }, 'no such file or folder; check the path'],
    ['GET http://127.0.0.1:1/', { bodyFile: '.' }, 'the file of config.bodyFile is not a regular file:'],
    ['GET http://127.0.0.1:1/', { timeout: 'soon' }, 'config.timeout must be a number (got "soon")'],
    ['GET http://127.0.0.1:1/', { timeout: '-1' }, 'config.timeout is -1, but must be'],
    [
      'GET http://127.0.0.1:1/',
      { maxRedirects: '1.5' },
      'config.maxRedirects is 1.5, but must be a whole number',
    ],
    [
      'GET http://127.0.0.1:1/',
      { body: 'a', bodyFile: 'b' },
      'config.body and config.bodyFile cannot be used together. Keep one of them',
    ],
    [
      'GET ftp://127.0.0.1/',
      {},
      'Invalid URL "ftp://127.0.0.1/". Use an absolute URL with http:// or https://.',
    ],
  ])('%s %j: names the invalid part', async (command, config, message) => {
    const { end } = await runHttp(command, config);
    expect(end.error).toContain(message);
  });
});
