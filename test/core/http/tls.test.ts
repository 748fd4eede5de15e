import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { type TlsFiles, renewalIntervalMs } from '../../../core/http/tls.ts';
import { makeCertificate, type TestCertificate } from '../../harness/servers/certificates.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { type ServedApi, serve } from '../../harness/server.ts';

class Files implements TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;

  constructor(pair: TestCertificate) {
    const folder = makeTemporaryFolder();
    this.certFile = path.join(folder, 'server.crt');
    this.keyFile = path.join(folder, 'server.key');
    this.write(pair);
  }

  write({ cert, key }: Partial<TestCertificate>): void {
    if (cert !== undefined) writeFileSync(this.certFile, cert);
    if (key !== undefined) writeFileSync(this.keyFile, key);
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Common name of the certificate of the connection. */
  readonly certificate: string;
}

function ask(
  { port }: ServedApi,
  ca: readonly string[],
  options: {
    readonly path?: string;
    readonly headers?: Record<string, string>;
    readonly agent?: Agent;
  } = {},
): Promise<Answer> {
  const all = { path: '/api/v2/health', agent: new Agent(), ...options };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, ca: [...ca], ...all }, (incoming) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      text(incoming).then(
        (body) =>
          resolve({
            status: incoming.statusCode,
            headers: incoming.headers,
            body,
            certificate: String(subject.CN),
          }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Result of a handshake: the protocol, or the reason for its failure. */
async function performHandshake(port: number, options: ConnectionOptions): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, ...options });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol() ?? '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'ended';
  } finally {
    socket.destroy();
  }
}

const twoLooks = (served: ServedApi): void => {
  served.clock.advance(renewalIntervalMs);
  served.clock.advance(renewalIntervalMs);
};

class Log {
  readonly lines: string[] = [];
  readonly info = (message: string): void => void this.lines.push(message);
  readonly warn = this.info;
  readonly error = this.info;
}

test('with a certificate the server uses https, and reports it', async () => {
  const pair = makeCertificate();
  await using served = await serve({ tls: new Files(pair) });
  expect(served.server.url).toBe(`https://127.0.0.1:${served.port}`);
  const reply = await ask(served, [pair.cert]);
  expect(reply).toMatchObject({ status: 200, certificate: 'localhost' });
  expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  const named = await ask(served, [pair.cert], { headers: { host: `localhost:${served.port}` } });
  expect(named.headers['strict-transport-security']).toBeUndefined();
  await expect(ask(served, [])).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
});

test('redirects plain http to https, with the same path and method', async () => {
  const pair = makeCertificate();
  await using served = await serve({ tls: new Files(pair), basePath: '/flows' });
  const { port, clock } = served;
  const plain = `http://127.0.0.1:${port}`;
  const send = async (init: RequestInit = {}): Promise<(string | number | null)[]> => {
    const reply = await fetch(`${plain}/flows/api/v1/quotes/random?x=%20`, { redirect: 'manual', ...init });
    return [reply.status, reply.headers.get('location'), await reply.text()];
  };
  const there = `https://127.0.0.1:${port}/flows/api/v1/quotes/random?x=%20`;
  expect(await send()).toEqual([308, there, '']);
  expect(await send({ method: 'POST', body: 'x'.repeat(100_000) })).toEqual([308, there, '']);
  const sendText = async (words: string): Promise<string> => {
    const socket = connectPlain(port, '127.0.0.1');
    socket.end(words);
    return text(socket);
  };
  // Only to its own name, never to a name chosen by the client.
  expect(await sendText('GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendText(`GET //elsewhere.example HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)).toContain(
    `\r\nlocation: https://localhost:${port}//elsewhere.example\r\n`,
  );
  expect(await sendText('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  // A silent connection, or one with half a request, is closed.
  const [silent, slow] = [connectPlain(port, '127.0.0.1'), connectPlain(port, '127.0.0.1')];
  slow.write('GET / HTTP/1.1\r\n');
  const closed = Promise.all([once(silent.resume(), 'close'), once(slow.resume(), 'close')]);
  await Promise.all([once(silent, 'connect'), once(slow, 'connect')]);
  expect((await ask(served, [pair.cert], { path: '/flows/api/v2/health' })).status).toBe(200);
  clock.advance(15_000);
  await closed;
});

test('rejects versions older than TLS 1.2', async () => {
  const pair = makeCertificate();
  await using served = await serve({ tls: new Files(pair) });
  const ca = pair.cert;
  expect(await performHandshake(served.port, { ca })).toBe('TLSv1.3');
  expect(await performHandshake(served.port, { ca, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
  const old = { ca, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  expect(await performHandshake(served.port, old)).toMatch(
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|ECONNRESET/,
  );
});

test('pages of the same name by http are another origin', async () => {
  const pair = makeCertificate();
  await using served = await serve({ tls: new Files(pair) });
  const from = (origin: string) => ask(served, [pair.cert], { path: '/api/v2/dags', headers: { origin } });
  expect((await from(`https://127.0.0.1:${served.port}`)).status).toBe(200);
  expect((await from(`http://127.0.0.1:${served.port}`)).status).toBe(403);
});

test('other machines are rejected with a certificate as without', async () => {
  const files = new Files(makeCertificate());
  await expect(serve({ host: '0.0.0.0', tls: files })).rejects.toMatchObject({ code: 'forbidden' });
});

test('loads a new pair when both files are there; open connections continue', async () => {
  const [first, second] = [makeCertificate('first'), makeCertificate('second')];
  const files = new Files(first);
  const logger = new Log();
  await using served = await serve({ tls: files, logger });
  const ca = [first.cert, second.cert];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await ask(served, ca, { agent })).toMatchObject({ certificate: 'first' });
  files.write({ cert: second.cert });
  served.clock.advance(renewalIntervalMs);
  files.write({ key: second.key });
  served.clock.advance(renewalIntervalMs);
  expect(await ask(served, ca)).toMatchObject({ certificate: 'first' });
  served.clock.advance(renewalIntervalMs);
  expect(await ask(served, ca)).toMatchObject({ certificate: 'second' });
  expect(await ask(served, ca, { agent })).toMatchObject({ status: 200, certificate: 'first' });
  expect(logger.lines).toEqual([`loaded the new certificate ${files.certFile}`]);
  agent.destroy();
});

test('logs an invalid new pair once, and keeps the old one until a valid one arrives', async () => {
  const [first, second] = [makeCertificate('first'), makeCertificate('second')];
  const files = new Files(first);
  const logger = new Log();
  await using served = await serve({ tls: files, logger });
  files.write({ cert: second.cert });
  twoLooks(served);
  twoLooks(served);
  expect(await ask(served, [first.cert])).toMatchObject({ certificate: 'first' });
  expect(logger.lines).toEqual([
    expect.stringMatching(/^keeping the current certificate: Certificate .* do not match: /),
  ]);
  rmSync(files.keyFile);
  twoLooks(served);
  files.write(second);
  twoLooks(served);
  expect(await ask(served, [second.cert])).toMatchObject({ certificate: 'second' });
});

test('warns of a certificate that expires soon', async () => {
  const logger = new Log();
  const until = Date.UTC(2020, 0, 2, 3, 4, 5);
  const files = new Files(makeCertificate('old', { from: until - 86_400_000, until }));
  await using served = await serve({ tls: files, logger });
  const words = served.clock.now() < until ? 'expires' : 'has expired';
  expect(logger.lines).toEqual([
    `certificate ${files.certFile} ${words} at 2020-01-02T03:04:05.000Z; renew it`,
  ]);
});

function lockKey(files: Files): void {
  const key = createPrivateKey(makeCertificate().key);
  files.write({
    key: String(key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })),
  });
}

test.each([
  ['is missing', (files: Files) => rmSync(files.certFile), /certificate .*server\.crt .*\(ENOENT\)/],
  [
    'is a directory',
    (files: Files) => (rmSync(files.keyFile), mkdirSync(files.keyFile)),
    /key .*server\.key .*\(EISDIR\)/,
  ],
  [
    'is not PEM',
    (files: Files) => files.write({ cert: 'no' }),
    /^Certificate \S+server\.crt is not valid PEM: .*\. Fix "server\.tls" \(ENGINE_CERT_FILE, ENGINE_KEY_FILE\)\.$/,
  ],
  [
    'is not a key',
    (files: Files) => files.write({ key: 'no' }),
    /^Key \S+server\.key is not valid PEM, or is encrypted: .*\. Fix "server\.tls"/,
  ],
  ['is encrypted', lockKey, /^Key \S+server\.key is not valid PEM, or is encrypted: .*\. Fix "server\.tls"/],
  [
    'belongs to another pair',
    (files: Files) => files.write({ key: makeCertificate().key }),
    /^Certificate \S+server\.crt and key \S+server\.key do not match: .*\. Fix "server\.tls"/,
  ],
])('rejects a file that %s at startup', async (_, spoil, message) => {
  const files = new Files(makeCertificate());
  spoil(files);
  await expect(serve({ tls: files })).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(message),
  });
});

test('the shutdown lets a request over TLS finish, and closes idle connections', async () => {
  const pair = makeCertificate();
  const served = await serve({ tls: new Files(pair) });
  const idle = connect({ host: '127.0.0.1', port: served.port, ca: pair.cert });
  idle.on('error', () => {});
  await once(idle, 'secureConnect');
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  served.api.answer = () => {
    started.resolve();
    return answer.promise;
  };
  const inProgress = ask(served, [pair.cert], { path: '/api/v2/dags' });
  await started.promise;
  const idleEnd = once(idle, 'close');
  const closing = served.server.close();
  await idleEnd;
  answer.resolve({ dags: [] });
  expect((await inProgress).body).toBe('{"dags":[]}');
  await closing;
  expect(served.clock.pending).toBe(0);
});
