import type * as OpenIdClient from 'openid-client';
import { AppError } from '../../../base/errors.ts';
import type { SessionSubject } from '../identity.ts';
import { admitUser, missingClaims, type Claims } from './token-verifier.ts';
import { isClientAuthError, isOutage, type Provider } from './provider.ts';

/** State of a pending sign-in, stored in the browser. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Redirect URI of this server. */
  readonly redirectUri: string;
  /** Path of this server to return to. */
  readonly returnTo: string;
}

/** A signed-in user. */
export interface SignInResult {
  readonly subject: SessionSubject;
  /** Hint for the provider at sign-out. */
  readonly idToken: string | undefined;
}

/** Starts a sign-in: authorization code with PKCE (RFC 7636), state and nonce. Rejects with `unavailable`. */
export async function beginSignIn(
  provider: Provider,
  request: Pick<PendingSignIn, 'redirectUri' | 'returnTo'>,
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
  const configuration = await provider.configuration();
  const client = await import('openid-client');
  const pending = {
    ...request,
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: request.redirectUri,
    scope: [...new Set(['openid', ...provider.settings.scopes])].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, pending };
}

/**
 * Completes a sign-in with the provider's redirect. Rejects with `unauthorized` for an invalid response, `forbidden`
 * if the user is not admitted, `unavailable` while the provider is down.
 * @param query query string of the redirect, with its `?`
 */
export async function finishSignIn(
  provider: Provider,
  pending: PendingSignIn,
  query: string,
): Promise<SignInResult> {
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
    if (missingClaims(claims, provider.settings) && configuration.serverMetadata().userinfo_endpoint) {
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      claims = { ...(more as Claims), ...claims };
    }
    const subject = { ...admitUser(claims, provider.settings), via: 'oidc' } as const;
    return { subject, idToken: tokens.id_token };
  } catch (error) {
    const { token_endpoint: tokenEndpoint } = configuration.serverMetadata();
    if (isClientAuthError(error, client, tokenEndpoint)) throw provider.clientError(error);
    throw toSignInError(error, provider, client);
  }
}

/**
 * Returns the logout URL of the provider (OpenID Connect RP-Initiated Logout); undefined if not supported or down:
 * then only this server's session ends.
 */
export async function findLogoutUrl(
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

function toSignInError(error: unknown, provider: Provider, client: typeof OpenIdClient): unknown {
  if (error instanceof AppError) return error;
  const options = { cause: error };
  if (error instanceof client.AuthorizationResponseError) {
    const why = error.error_description ?? error.error;
    return new AppError(
      'forbidden',
      `The identity provider rejected the sign-in: ${toSingleLine(why)}`,
      options,
    );
  }
  if (isOutage(error)) return provider.unavailableError(error);
  return new AppError(
    'unauthorized',
    'The response of the identity provider does not match this sign-in, or has expired. Sign in again.',
    options,
  );
}

/** Makes a foreign message safe for one line. */
const toSingleLine = (message: string): string => message.replaceAll(/\s+/g, ' ').slice(0, 200);
