import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Auth } from '../../../core/api/auth/auth.ts';
import { signInPath } from '../../../core/api/auth/oidc/provider.ts';
import type { AuthSettings, OidcSettings } from '../../../core/api/auth/identity.ts';
import { FakeClock, silentLogger } from '../../harness/fakes.ts';
import { findFreePort } from '../../harness/servers/ports.ts';
import { startOidcProvider, testClient, type TestProvider } from '../../harness/servers/oidc-provider.ts';
import { makeTemporaryFolder } from '../../harness/resources.ts';
import { type ServedApi, serve } from '../../harness/server.ts';
import { openSettings } from '../api/auth/auth-harness.ts';

/** A page, as shown by a browser. */
export interface VisiblePage {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/**
 * The parts of a browser that signing in needs: cookies by host, path and expiry, redirects, refreshes and
 * forms. Cookies of a host apply to all its ports, as in real ones.
 */
export class TestBrowser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();
  /** Every requested URL, in order. */
  readonly visited: string[] = [];
  /** Called before a URL is requested; may change it. */
  detour: (url: string) => string = (url) => url;

  /** Names of the stored cookies. */
  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, { value, path: '/' });
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)?.value;
  }

  /** Requests a URL and follows all redirects. */
  async open(address: string, init: RequestInit = {}): Promise<VisiblePage> {
    let url = this.detour(address);
    let request = init;
    for (let steps = 0; steps < 20; steps += 1) {
      this.visited.push(url);
      const response = await this.fetch(url, request);
      const text = await response.text();
      const next =
        response.headers.get('location') ?? /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1];
      if (next === undefined) return { url, status: response.status, text };
      url = this.detour(new URL(next.replaceAll('&amp;', '&'), url).href);
      request = {};
    }
    throw new Error(`${address} leads nowhere: ${this.visited.join(' ')}`);
  }

  /** Fills in the sign-in form of the test provider. */
  signIn(page: VisiblePage, login: string): Promise<VisiblePage> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`there is no form at ${page.url}: ${page.text.slice(0, 500)}`);
    return this.open(new URL(action, page.url).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt: 'login', login, password: 'any' }),
    });
  }

  /** One request with the cookies of the URL, and the headers of a navigation. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url);
    const sent = [...this.#cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        accept: 'text/html',
        cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
    const isGone = /; *max-age=0|; *expires=Thu, 01 Jan 1970/i.test(line);
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }
}

export const people = {
  ada: {
    preferred_username: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    groups: ['flow-admins', 'staff'],
  },
  bob: { preferred_username: 'bob', email: 'bob@example.org', email_verified: true, groups: ['staff'] },
  eve: { preferred_username: 'eve', email: 'eve@example.com', email_verified: false, groups: ['guests'] },
};

export const rolesByGroup: Partial<OidcSettings> = {
  scopes: ['openid', 'profile', 'email', 'groups'],
  roleClaim: 'groups',
  roleMapping: new Map([
    ['flow-admins', 'admin'],
    ['staff', 'operator'],
  ] as const),
};

type ProviderOptions = Partial<Parameters<typeof startOidcProvider>[0]>;

export interface OidcHarness extends AsyncDisposable {
  readonly url: string;
  readonly auth: Auth;
  readonly served: ServedApi;
  readonly clock: FakeClock;
  readonly issuer: string;
  readonly browser: TestBrowser;
  readonly provider: TestProvider;
  startProvider(): Promise<void>;
  stopProvider(): Promise<void>;
}

/** A server in mode `oidc` and its provider, which starts first unless it is down. */
export async function openOidcHarness(
  oidc: Partial<OidcSettings> = rolesByGroup,
  {
    basePath = '',
    isDown = false,
    ...options
  }: ProviderOptions & { basePath?: string; isDown?: boolean } = {},
): Promise<OidcHarness> {
  const [port, providerPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}${basePath}`;
  const issuer = `http://127.0.0.1:${providerPort}`;
  const clock = new FakeClock(Date.now());
  const settings: AuthSettings = {
    ...openSettings,
    mode: 'oidc',
    basic: { username: 'script', password: 'basic password' },
    oidc: {
      ...openSettings.oidc,
      issuer,
      clientId: testClient.id,
      clientSecret: testClient.secret,
      ...oidc,
    },
  };
  const startProvider = () =>
    startOidcProvider({
      port: providerPort,
      people,
      redirectUris: [`${url}/auth/oidc/callback`],
      postLogoutUris: [`${url}/auth/oidc/signed-out`],
      ...options,
    });
  let provider = isDown ? undefined : await startProvider();
  const auth = new Auth({ home: makeTemporaryFolder(), settings, clock, logger: silentLogger });
  const webRoot = makeTemporaryFolder();
  writeFileSync(join(webRoot, 'index.html'), '<title>the web UI</title>');
  const served = await serve({ port, clock, auth, basePath, webRoot });
  const stopProvider = async (): Promise<void> => {
    await provider?.[Symbol.asyncDispose]();
    provider = undefined;
  };
  return {
    url,
    auth,
    served,
    clock,
    issuer,
    browser: new TestBrowser(),
    get provider() {
      return provider!;
    },
    startProvider: async () => void (provider = await startProvider()),
    stopProvider,
    async [Symbol.asyncDispose]() {
      await served.server.close();
      await stopProvider();
    },
  };
}

/** Actor of the last API call. */
export const lastCaller = ({ served }: OidcHarness) => served.api.calls.at(-1)?.caller;

export async function signIn(
  harness: OidcHarness,
  login: string,
  at = signInPath,
): Promise<ReturnType<TestBrowser['open']>> {
  const form = await harness.browser.open(harness.url + at);
  return harness.browser.signIn(form, login);
}

export const ask = (
  { url, browser }: OidcHarness,
  at = '/api/v2/dags',
  headers: Record<string, string> = {},
) => browser.fetch(url + at, { headers: { accept: 'application/json', ...headers } });
