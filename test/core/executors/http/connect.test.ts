import { describe, expect, it } from 'vitest';
import { findProxy } from '../../../../core/executors/http/connect.ts';
import { until } from '../../../harness/resources.ts';
import { hasOpenssl, runHttp, startHttp, startProxy, startServer, startTlsServer } from './http-harness.ts';

const startSecure = () => startTlsServer((_, response) => response.end('in private'));

describe.skipIf(!hasOpenssl)('TLS (needs openssl)', () => {
  it('rejects a self-signed certificate and says what to do', async () => {
    const { url, port, quiet, requests } = await startSecure();
    const { end } = await runHttp(`GET ${url}/`);
    expect(end.error).toBe(
      `GET ${url}/: the certificate of 127.0.0.1:${port} is self-signed. Add the CA certificate to the file in NODE_EXTRA_CA_CERTS in the environment of the engine, or set config.skipTLSVerify on a trusted network`,
    );
    expect(requests).toEqual([]);
    await quiet();
  });

  it('accepts it with "skipTLSVerify", for that step only', async () => {
    const { url, port, quiet } = await startSecure();
    const { end, stdout, stderr } = await runHttp(`GET ${url}/`, {
      skipTLSVerify: true,
      silent: true,
      debug: true,
    });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe('in private');
    expect(stderr).toContain(`TLSv1.3 with 127.0.0.1:${port}, certificate not verified\n`);
    expect((await runHttp(`GET https://localhost:${port}/`)).end.error).toContain('self-signed');
    await quiet();
  });

  it('tunnels through a proxy', async () => {
    const [server, proxy] = [await startSecure(), await startProxy()];
    const config = { skipTLSVerify: true, silent: true };
    const { stdout } = await runHttp(`GET ${server.url}/`, config, { env: { HTTPS_PROXY: proxy.url } });
    expect(stdout).toBe('in private');
    expect(proxy.seen).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
    await proxy.quiet();
    await server.quiet();
  });

  it('reports when the proxy requires a password, and sends it', async () => {
    const authorization = `Basic ${Buffer.from('ann:pw').toString('base64')}`;
    const [server, proxy] = [await startSecure(), await startProxy({ authorization })];
    const run = (HTTPS_PROXY: string) =>
      runHttp(`GET ${server.url}/`, { skipTLSVerify: true }, { env: { HTTPS_PROXY } });
    expect((await run(proxy.url)).end.error).toContain(
      `proxy 127.0.0.1:${proxy.port} did not connect to 127.0.0.1:${server.port}: 407 Proxy Authentication Required. Add username and password`,
    );
    expect((await run(proxy.url.replace('//', '//ann:pw@'))).end).toEqual({ exitCode: 0 });
    await proxy.quiet();
  });
});

describe('proxies', () => {
  it('get plain requests unchanged', async () => {
    const proxy = await startProxy();
    const { stdout } = await runHttp(
      'GET http://far.example/a?b',
      { silent: true },
      { env: { http_proxy: proxy.url } },
    );
    expect(stdout).toBe('by proxy for /a of far.example');
    expect(proxy.seen).toEqual(['GET http://far.example/a?b']);
    await proxy.quiet();
  });

  it('are used only when the workflow declares them', async () => {
    const proxy = await startProxy();
    const { url } = await startServer((_, response) => response.end('direct'));
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = proxy.url;
    try {
      expect((await runHttp(`GET ${url}/`, { silent: true })).stdout).toBe('direct');
    } finally {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    }
    expect(proxy.seen).toEqual([]);
  });

  it('that do not respond are disconnected at once on a stop', async () => {
    const proxy = await startProxy({ mute: true });
    const step = startHttp('GET https://far.example/', {}, { env: { HTTPS_PROXY: proxy.url } });
    await until(() => proxy.seen.length === 1);
    step.stop();
    expect((await step.ended).error).toContain(
      `stopped while waiting for the proxy 127.0.0.1:${proxy.port} to connect to far.example:443`,
    );
    await proxy.quiet();
  });

  it('are named when they are unreachable', async () => {
    const { end } = await runHttp(
      'GET http://far.example/',
      {},
      { env: { HTTP_PROXY: 'http://127.0.0.1:1' } },
    );
    expect(end.error).toContain('(while connecting to the proxy');
  });

  const find = (url: string, env: Record<string, string>) => findProxy(new URL(url), env)?.href;

  it('can be written without a scheme, lowercase variables first', () => {
    expect(find('http://a.example/', { HTTP_PROXY: 'proxy:3128' })).toBe('http://proxy:3128/');
    expect(find('http://a.example/', { HTTP_PROXY: 'x:1', http_proxy: 'y:2' })).toBe('http://y:2/');
    expect(find('https://a.example/', { HTTP_PROXY: 'x:1' })).toBeUndefined();
    expect(() => find('http://a.example/', { HTTP_PROXY: 'socks5://x:1' })).toThrow(
      'the variable HTTP_PROXY is not an HTTP proxy URL. Use http://host:port, or remove it from "env"',
    );
  });

  it.each([
    ['*', 'http://a.example/', true],
    ['a.example', 'http://a.example/', true],
    ['other, .EXAMPLE', 'http://a.example/', true],
    ['*.example', 'http://a.example/', true],
    ['example', 'http://anexample/', false],
    ['a.example:81', 'http://a.example/', false],
    ['a.example:80', 'http://a.example/', true],
    ['a.example:443', 'https://a.example/', true],
    ['::1', 'http://[::1]:8080/', true],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['127.0.0.1', 'http://127.0.0.1:5000/', true],
    ['', 'http://a.example/', false],
  ])('are skipped for hosts exempt by NO_PROXY "%s": %s %s', (NO_PROXY, url, isExempt) => {
    expect(find(url, { HTTP_PROXY: 'p:1', HTTPS_PROXY: 'p:1', NO_PROXY }) === undefined).toBe(isExempt);
  });
});
