import type * as OpenIdClient from 'openid-client';
import { AppError } from '../../base/errors.ts';
import type { SessionSubject } from '../identity.ts';
import { admitUser, lacksClaims, type Claims } from './admit.ts';
import { isOfClient, isOutage } from './outage.ts';
import type { Provider } from './provider.ts';

/** What a sign-in that has begun must come back with; the browser keeps it meanwhile. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Address of this server where the provider sends people back to. */
  readonly redirectUri: string;
  /** Where the person wanted to go: a path of this server. */
  readonly returnTo: string;
}

/** Somebody who has signed in. */
export interface SignedIn {
  readonly subject: SessionSubject;
  /** Shown to the provider at the end of the session. */
  readonly idToken: string | undefined;
}

/** Begins a sign-in: authorization code with PKCE (RFC 7636), state and nonce. Rejects with `unavailable`. */
export async function beginSignIn(
  provider: Provider,
  place: Pick<PendingSignIn, 'redirectUri' | 'returnTo'>,
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
  const configuration = await provider.configuration();
  const client = await import('openid-client');
  const pending = {
    ...place,
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: place.redirectUri,
    scope: [...new Set(['openid', ...provider.settings.scopes])].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, pending };
}

/**
 * Ends a sign-in with what the provider has sent the browser back with. Rejects with `unauthorized` when that is not
 * the answer to it, `forbidden` when the person is not let in, `unavailable` while the provider is down.
 * @param query of the address that the browser came back to, with its `?`
 */
export async function finishSignIn(
  provider: Provider,
  pending: PendingSignIn,
  query: string,
): Promise<SignedIn> {
  const configuration = await provider.configuration();
  const client = await import('openid-client');
  try {
    const tokens = await client.authorizationCodeGrant(configuration, new URL(pending.redirectUri + query), {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.codeVerifier,
      idTokenExpected: true,
    });
    let claims = tokens.claims() as Claims;
    if (lacksClaims(claims, provider.settings) && configuration.serverMetadata().userinfo_endpoint) {
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      claims = { ...(more as Claims), ...claims };
    }
    const subject = { ...admitUser(claims, provider.settings), via: 'oidc' } as const;
    return { subject, idToken: tokens.id_token };
  } catch (thrown) {
    const { token_endpoint: tokenEndpoint } = configuration.serverMetadata();
    if (isOfClient(thrown, client, tokenEndpoint)) throw provider.refuseClient(thrown);
    throw refuse(thrown, provider, client);
  }
}

/**
 * Where the provider ends its own session (OpenID Connect RP-Initiated Logout); undefined when it offers nothing of
 * the kind, or is down: then only this server's session ends.
 */
export async function findEndOfSession(
  provider: Provider,
  { idToken, returnUri }: { readonly idToken: string | undefined; readonly returnUri: string },
): Promise<string | undefined> {
  try {
    const configuration = await provider.configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const client = await import('openid-client');
    return client.buildEndSessionUrl(configuration, {
      ...(idToken !== undefined && { id_token_hint: idToken }),
      post_logout_redirect_uri: returnUri,
    }).href;
  } catch {
    return undefined;
  }
}

function refuse(thrown: unknown, provider: Provider, client: typeof OpenIdClient): unknown {
  if (thrown instanceof AppError) return thrown;
  const options = { cause: thrown };
  if (thrown instanceof client.AuthorizationResponseError) {
    const why = thrown.error_description ?? thrown.error;
    return new AppError('forbidden', `The identity provider rejected the sign-in: ${clean(why)}`, options);
  }
  if (isOutage(thrown)) return provider.refuseFor(thrown);
  return new AppError(
    'unauthorized',
    'The response of the identity provider does not match this sign-in, or has expired. Sign in again.',
    options,
  );
}

/** Words of another party, on one line. */
const clean = (words: string): string => words.replaceAll(/\s+/g, ' ').slice(0, 200);
