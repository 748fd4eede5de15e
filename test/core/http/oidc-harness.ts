import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Auth } from '../../../core/api/auth/auth.ts';
import { signInPath } from '../../../core/api/auth/oidc/provider.ts';
import type { AuthSettings, OidcSettings } from '../../../core/api/auth/settings.ts';
import { openSettings } from '../api/auth/auth-rig.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { findFreePort } from '../../rig/servers/free-port.ts';
import { startOidcProvider, testClient, type TestProvider } from '../../rig/servers/oidc-provider.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { TestBrowser } from '../../rig/test-browser.ts';
import { type ServedApi, serve } from './api-harness.ts';
import { silentLogger } from '../../rig/silent-logger.ts';

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

export interface Harness extends AsyncDisposable {
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
export async function openHarness(
  oidc: Partial<OidcSettings> = rolesByGroup,
  {
    basePath = '',
    isDown = false,
    ...options
  }: ProviderOptions & { basePath?: string; isDown?: boolean } = {},
): Promise<Harness> {
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
  writeFileSync(path.join(webRoot, 'index.html'), '<title>the web UI</title>');
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
export const lastCaller = ({ served }: Harness) => served.api.calls.at(-1)?.caller;

export async function signIn(
  harness: Harness,
  login: string,
  at = signInPath,
): Promise<ReturnType<TestBrowser['open']>> {
  const form = await harness.browser.open(harness.url + at);
  return harness.browser.signIn(form, login);
}

export const ask = ({ url, browser }: Harness, at = '/api/v2/dags', headers: Record<string, string> = {}) =>
  browser.fetch(url + at, { headers: { accept: 'application/json', ...headers } });
