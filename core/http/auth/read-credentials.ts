import { AppError } from '../../base/errors.ts';
import type { Credentials } from '../../auth/identity.ts';

/**
 * Returns the credentials of a request: the `Authorization` header (RFC 6750, RFC 7617), else the session cookie.
 * Throws `unauthorized` for an invalid header.
 */
export function readCredentials(
  authorization: string | undefined,
  sessionCookie: string | undefined,
): Credentials | undefined {
  if (authorization !== undefined) return readHeader(authorization);
  if (sessionCookie === undefined || sessionCookie === '') return undefined;
  return { scheme: 'cookie', token: sessionCookie };
}

function readHeader(authorization: string): Credentials {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([\w.~+/=-]+) *$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bearer':
    // Scheme of webhook clients for code hosting platforms, such as Octokit.
    case 'token':
      return { scheme: 'bearer', token: value };
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString('utf8');
      const colon = pair.indexOf(':');
      if (colon >= 0)
        return { scheme: 'basic', username: pair.slice(0, colon), password: pair.slice(colon + 1) };
      break;
    }
    default:
  }
  throw new AppError(
    'unauthorized',
    'Invalid Authorization header. Use "Bearer TOKEN", or "Basic" with the Base64 of "NAME:PASSWORD".',
  );
}
