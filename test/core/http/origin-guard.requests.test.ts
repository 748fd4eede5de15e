import { describe, expect, test } from 'vitest';
import { checkOrigin } from '../../../core/http/origin-guard.ts';
import { serveWithAuth, sendRaw } from '../../harness/server.ts';

const own = 'http://HOST';
const foreign = 'https://evil.example';

/** `HOST` stands for the server's own address. */
interface Page {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Status of a read, and of a change, with the cookie of a session. */
  readonly withCookie: readonly [read: number, change: number];
  /** The same with a token in the header, which no page of another site has. */
  readonly withToken: readonly [read: number, change: number];
}

const pages: readonly Page[] = [
  { what: 'no browser', headers: {}, withCookie: [200, 403], withToken: [200, 200] },
  {
    what: 'own page',
    headers: { origin: own, 'sec-fetch-site': 'same-origin' },
    withCookie: [200, 200],
    withToken: [200, 200],
  },
  {
    what: 'own page of an old browser',
    headers: { origin: own },
    withCookie: [200, 200],
    withToken: [200, 200],
  },
  {
    what: 'typed address',
    headers: { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    withCookie: [200, 200],
    withToken: [200, 200],
  },
  {
    what: 'link of another site',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    withCookie: [200, 403],
    withToken: [200, 403],
  },
  {
    what: 'page of another site',
    headers: { origin: foreign, 'sec-fetch-site': 'cross-site' },
    withCookie: [403, 403],
    withToken: [403, 403],
  },
  {
    what: 'form of another site',
    headers: { origin: foreign, 'sec-fetch-mode': 'navigate' },
    withCookie: [200, 403],
    withToken: [200, 403],
  },
  { what: 'sandboxed frame', headers: { origin: 'null' }, withCookie: [403, 403], withToken: [403, 403] },
  {
    what: 'page of another port',
    headers: { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    withCookie: [403, 403],
    withToken: [403, 403],
  },
  { what: 'rebound name', headers: { host: 'evil.example' }, withCookie: [403, 403], withToken: [403, 403] },
  {
    what: 'rebound name with its own origin',
    headers: { host: 'evil.example', origin: 'http://evil.example' },
    withCookie: [403, 403],
    withToken: [403, 403],
  },
];

describe('requests of', () => {
  test.each(pages)('$what', async ({ headers, withCookie, withToken }) => {
    await using served = await serveWithAuth(
      'auth: {mode: builtin}\nqueues: {config: [{name: mine, maxConcurrency: 1}]}\n',
    );
    const { token } = await served.enter('mona', 'operator');
    const { host, port } = new URL(served.url);
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('HOST', host)]),
    );
    const login = await served.ask('POST /auth/login', {
      body: { username: 'mona', password: 'password of mona' },
    });
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const statuses = async (credentials: Record<string, string>): Promise<number[]> => {
      const all = { ...credentials, ...given };
      const read = await sendRaw(Number(port), '/api/v2/dags', { headers: all });
      const change = await sendRaw(Number(port), '/api/v2/queues/mine/pause', {
        method: 'POST',
        headers: all,
      });
      for (const reply of [read, change])
        expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      return [read.status, change.status];
    };
    expect(await statuses({ cookie })).toEqual(withCookie);
    expect(await statuses({ authorization: `Bearer ${token}` })).toEqual(withToken);
    expect((await statuses({}))[0]).not.toBe(200);
  });
});

describe('over https', () => {
  test.each([
    ['https://localhost:8443', true],
    ['http://localhost:8443', false],
    ['https://localhost', false],
    ['https://localhost:8444', false],
    ['https://127.0.0.1:8443', false],
    ['https://localhost:8443.evil.example', false],
    ['null', false],
  ])('a page of %s is same-origin: %s', (origin, isOwn) => {
    const check = (): void =>
      checkOrigin({ host: 'localhost:8443', origin }, 'POST', { boundHost: '127.0.0.1', isSecure: true });
    if (isOwn) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });
});
