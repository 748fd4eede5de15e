import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWTPayload,
} from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { findFreePort } from './ports.ts';

/** What a test provider reports about a person, by sign-in name. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real OpenID provider on loopback whose sign-in form accepts any password. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Requests so far, such as `GET /jwks`. */
  readonly requests: readonly string[];
  /** A token signed with the provider's own key. */
  signToken(claims: JWTPayload): Promise<string>;
  /** An opaque token of the provider. */
  issueToken(requests: TokenOptions): Promise<{ readonly value: string; revoke(): Promise<void> }>;
}

export interface TokenOptions {
  /** Name of the person. */
  readonly login: string;
  /** The client that it is issued to. Default: the test's own. */
  readonly clientId?: string;
  readonly kind?: 'AccessToken' | 'RefreshToken';
  readonly expiresInSec?: number;
}

export const testClient = { id: 'stepwright', secret: 'a secret of this test' } as const;
/** Another application at the same provider. */
export const otherClient = { id: 'another-application', secret: 'another secret of this test' } as const;

const everything = 'openid profile email groups';

/** Of all providers of a process: creating one takes a tenth of a second. */
let keys: Promise<GenerateKeyPairResult> | undefined;

/**
 * @param options.port default: any free one
 * @param options.redirectUris where it may redirect browsers to
 */
export async function startOidcProvider(options: {
  readonly port?: number;
  readonly people: Accounts;
  readonly redirectUris: readonly string[];
  readonly postLogoutUris?: readonly string[];
  /** How the client authenticates; `none` has no secret. */
  readonly clientAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly withLogout?: boolean;
  readonly withIntrospection?: boolean;
}): Promise<TestProvider> {
  const port = options.port ?? (await findFreePort());
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await (keys ??= generateKeyPair('RS256', { extractable: true }));
  const provider = new Provider(issuer, await configure(options, privateKey));
  // Production warnings of the module do not apply to a test.
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
    issueToken: (inputs) => issueToken(provider, inputs),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function issueToken(
  provider: Provider,
  { login, clientId = testClient.id, kind = 'AccessToken', expiresInSec = 3600 }: TokenOptions,
): Promise<{ readonly value: string; revoke(): Promise<void> }> {
  const client = (await provider.Client.find(clientId))!;
  const grant = new provider.Grant({ accountId: login, clientId });
  grant.addOIDCScope(everything);
  const grantId = await grant.save();
  const about = { accountId: login, client, grantId, scope: everything, expiresIn: expiresInSec };
  const token = new provider[kind]({ ...about, gty: 'authorization_code' });
  return { value: await token.save(), revoke: () => token.destroy() };
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
      {
        client_id: otherClient.id,
        client_secret: otherClient.secret,
        redirect_uris: ['http://127.0.0.1/elsewhere'],
        token_endpoint_auth_method: clientAuth,
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
      introspection: { enabled: options.withIntrospection ?? true, allowedPolicy: () => true },
      rpInitiatedLogout: { enabled: options.withLogout ?? true },
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...people[id] }),
    }),
    // No consent is required.
    async loadExistingGrant(context) {
      const { oidc } = context;
      const { accountId } = oidc.session!;
      const grant = new oidc.provider.Grant({ accountId: accountId!, clientId: oidc.client!.clientId });
      grant.addOIDCScope(everything);
      await grant.save();
      return grant;
    },
  };
}
