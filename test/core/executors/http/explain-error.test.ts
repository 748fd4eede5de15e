import { createServer } from 'node:net';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../../harness/resources.ts';
import { explainError } from '../../../../core/executors/http/explain-error.ts';
import { listen, runHttp, startHttp, startServer } from './http-harness.ts';

/** A raw TCP server: responds to each connection with text, or with nothing. */
async function startRaw(answer?: string) {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => received.push(bytes));
    if (answer !== undefined) socket.end(answer);
  });
  return Object.assign(await listen(server, 'http'), { received });
}

describe('unusable server', () => {
  it('that does not listen', async () => {
    const { end } = await runHttp('GET http://127.0.0.1:1/');
    expect(end).toEqual({
      exitCode: 1,
      error:
        'GET http://127.0.0.1:1/: connection refused by 127.0.0.1:1 (while connecting to 127.0.0.1:1). Check that the server is running, and the host and port',
    });
  });

  it('with an unknown name', async () => {
    const { end } = await runHttp('GET http://no-such-host.invalid/');
    // A machine without a name server has another message.
    expect(end.error).toMatch(
      /GET http:\/\/no-such-host\.invalid\/: host name "no-such-host\.invalid" not found in DNS \(while connecting to no-such-host\.invalid:80\)\./,
    );
  });

  it('that does not speak HTTP', async () => {
    const { url } = await startRaw('220 mail ready\r\n');
    expect((await runHttp(`GET ${url}/`)).end.error).toMatch(
      /\(Parse Error: Expected HTTP\/, RTSP\/ or ICE\/\)\. Check the port, and whether the URL needs https:\/\//,
    );
  });

  it('that sends an endless header', async () => {
    const { url, quiet } = await startRaw(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`);
    expect((await runHttp(`GET ${url}/`)).end.error).toContain('exceed 16 KiB');
    await quiet();
  });

  it('that closes the connection without a response', async () => {
    const { url } = await startRaw('');
    expect((await runHttp(`GET ${url}/`)).end.error).toMatch(/was closed while waiting for the response of/);
  });

  it('that does not speak TLS', async () => {
    const { port } = await startRaw('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect((await runHttp(`GET https://127.0.0.1:${port}/`)).end.error).toMatch(
      /failed \(wrong version number\)\. If the server uses plain HTTP, use http:\/\/ instead of https:\/\//,
    );
  });

  it('that declares a compression it does not use', async () => {
    const { url, quiet } = await startServer((_, response) => {
      response.setHeader('content-encoding', 'gzip').end('not packed at all');
    });
    expect((await runHttp(`GET ${url}/`)).end.error).toContain(
      'the response body does not match its Content-Encoding (incorrect header check).',
    );
    await quiet();
  });

  it('that breaks off', async () => {
    const { url } = await startServer((_, response) => {
      response.setHeader('content-length', '100');
      response.write('half', () => response.destroy());
    });
    expect((await runHttp(`GET ${url}/`)).end.error).toContain(
      'was closed while reading the response body (4 bytes received)',
    );
  });
});

describe('timeout', () => {
  /** The error of a step that times out once the server has received something. */
  async function timeOut(command: string, isReached: () => boolean): Promise<string> {
    const clock = new FakeClock();
    const step = startHttp(command, { timeout: 5 }, { clock });
    await until(isReached);
    clock.advance(5000);
    const { error, exitCode } = await step.ended;
    expect(exitCode).toBe(1);
    expect(clock.pending).toBe(0);
    return error!;
  }

  it('ends a step that waits for a response, and closes its connection', async () => {
    const server = await startServer(() => {});
    const error = await timeOut(`GET ${server.url}/`, () => server.requests.length === 1);
    expect(error).toBe(
      `GET ${server.url}/: timed out after 5 s while waiting for the response of 127.0.0.1:${server.port}. Raise config.timeout, or check why the server is slow`,
    );
    await server.quiet();
  });

  it('ends a TLS handshake that does not complete', async () => {
    const server = await startRaw();
    const error = await timeOut(`GET https://127.0.0.1:${server.port}/`, () => server.received.length === 1);
    expect(error).toContain(`timed out after 5 s while setting up TLS with 127.0.0.1:${server.port}`);
    await server.quiet();
  });

  it('ends a body that arrives too slowly', async () => {
    const server = await startServer((_, response) => void response.write('a'));
    const clock = new FakeClock();
    const step = startHttp(`GET ${server.url}/`, { timeout: 5, silent: true }, { clock });
    await until(() => step.files().includes('stdout.log') && step.stdout() === 'a');
    clock.advance(5000);
    expect((await step.ended).error).toContain('while reading the response body (1 bytes received)');
    expect(clock.pending).toBe(0);
    await server.quiet();
  });

  it('leaves no timer behind', async () => {
    const clock = new FakeClock();
    const { url } = await startServer((_, response) => response.end('x'));
    const { end } = await runHttp(`GET ${url}/`, { timeout: 5 }, { clock });
    expect(end).toEqual({ exitCode: 0 });
    expect(clock.pending).toBe(0);
  });
});

describe('stop', () => {
  it('closes the connection at once while the step waits for a response', async () => {
    const server = await startServer(() => {});
    const step = startHttp(`GET ${server.url}/`);
    await until(() => server.requests.length === 1);
    step.stop();
    expect((await step.ended).error).toContain('stopped while waiting for the response of');
    await server.quiet();
  });

  it.each(['stop', 'kill'] as const)('(%s) removes what was saved so far', async (how) => {
    const workingDir = makeTemporaryFolder();
    const server = await startServer((_, response) => void response.write('x'.repeat(100_000)));
    const step = startHttp(`GET ${server.url}/`, { saveTo: 'data' }, { workingDir });
    await until(() => readdirSync(workingDir).length === 1);
    step[how]();
    expect((await step.ended).error).toBeDefined();
    await until(() => readdirSync(workingDir).length === 0);
    await server.quiet();
  });

  it('ends a step during its TLS handshake', async () => {
    const server = await startRaw();
    const step = startHttp(`GET https://127.0.0.1:${server.port}/`);
    await until(() => server.received.length === 1);
    step.stop();
    expect((await step.ended).error).toContain('stopped while setting up TLS');
    await server.quiet();
  });
});

describe('messages for errors that a test cannot cause', () => {
  const circumstances = { phase: 'connecting to example.com:443', server: 'example.com:443' };
  const explain = (code: string, message = 'it failed') =>
    explainError(Object.assign(new Error(message), { code, hostname: 'example.com' }), circumstances);

  it.each([
    [
      'EAI_AGAIN',
      'DNS lookup of "example.com" failed: no DNS server responded. Check the network and try again',
    ],
    ['ENOTFOUND', 'host name "example.com" not found in DNS (while connecting to example.com:443).'],
    ['EHOSTUNREACH', 'cannot reach example.com:443 (EHOSTUNREACH, while connecting to example.com:443).'],
    [
      'CERT_HAS_EXPIRED',
      'the certificate of example.com:443 has expired. Check the clock of this machine, and renew the certificate',
    ],
    ['CERT_NOT_YET_VALID', 'is not valid yet'],
    [
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'the certificate of example.com:443 was issued by an unknown authority (UNABLE_TO_GET_ISSUER_CERT_LOCALLY).',
    ],
    ['EWHATEVER', 'it failed, while connecting to example.com:443'],
  ])('%s', (code, sentence) => expect(explain(code)).toContain(sentence));

  it('uses the first of several addresses', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '::1', port: 80 });
    expect(explainError(new AggregateError([refused]), circumstances)).toContain(
      'connection refused by ::1:80 (while connecting to example.com:443).',
    );
    expect(explainError('thrown', circumstances)).toBe('thrown, while connecting to example.com:443');
  });
});
