import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { findFreePort } from './free-port.ts';

/** What a test provider tells of a person, by the name they sign in with. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real OpenID provider on loopback whose sign-in form takes any password. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Requests so far, such as `GET /jwks`. */
  readonly requests: readonly string[];
  /** A token signed with the provider's own key. */
  signToken(claims: JWTPayload): Promise<string>;
}

export const testClient = { id: 'stepwright', secret: 'a secret of this test' } as const;

/**
 * @param options.port where it listens; any free one when absent
 * @param options.redirectUris where it may send browsers back to
 */
export async function startOidcProvider(options: {
  readonly port?: number;
  readonly people: People;
  readonly redirectUris: readonly string[];
  readonly postLogoutUris?: readonly string[];
  /** How the client proves itself; `none` has no secret. */
  readonly clientAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly withLogout?: boolean;
}): Promise<TestProvider> {
  const port = options.port ?? (await findFreePort());
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, await configure(options, privateKey));
  // What the module has to say of settings for production is nothing for a test.
  provider.proxy = false;
  const requests: string[] = [];
  const answer = provider.callback();
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${(request.url ?? '').split('?', 1)[0]}`);
    void answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer,
    requests,
    signToken: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function configure(
  options: Parameters<typeof startOidcProvider>[0],
  key: CryptoKey,
): Promise<Configuration> {
  const { people, clientAuth = 'client_secret_basic' } = options;
  return {
    clients: [
      {
        client_id: testClient.id,
        ...(clientAuth === 'none' ? {} : { client_secret: testClient.secret }),
        token_endpoint_auth_method: clientAuth,
        redirect_uris: [...options.redirectUris],
        post_logout_redirect_uris: [...(options.postLogoutUris ?? [])],
      },
    ],
    clientAuthMethods: [clientAuth],
    jwks: { keys: [{ ...(await exportJWK(key)), kid: 'test', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of this test'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    scopes: ['openid', 'profile', 'email', 'groups'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: options.withLogout ?? true },
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...people[id] }),
    }),
    // Nobody is asked what they agree to.
    async loadExistingGrant(context) {
      const { oidc } = context;
      const { accountId } = oidc.session!;
      const grant = new oidc.provider.Grant({ accountId: accountId!, clientId: oidc.client!.clientId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  };
}
