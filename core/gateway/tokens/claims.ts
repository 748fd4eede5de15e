import { tokenError } from './token-error.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Tolerated clock difference between issuer and engine, in seconds. */
const LEEWAY_SEC = 30;

/** @throws GatewayError PGRST303 */
export function readClaims(payload: string): Claims {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  } catch {
    // The error is thrown below.
  }
  throw tokenError('PGRST303', 'Parsing claims failed', 'The claims are not a JSON object.');
}

/**
 * Checks validity period and audience of a token.
 * @throws GatewayError PGRST303
 */
export function checkClaims(
  claims: Claims,
  { nowSec, audience }: { readonly nowSec: number; readonly audience: string | undefined },
): void {
  const expires = readTime(claims, 'exp');
  if (expires !== undefined && nowSec > expires + LEEWAY_SEC) throw tokenError('PGRST303', 'JWT expired');
  const begins = readTime(claims, 'nbf');
  if (begins !== undefined && nowSec < begins - LEEWAY_SEC) throw tokenError('PGRST303', 'JWT not yet valid');
  const issued = readTime(claims, 'iat');
  if (issued !== undefined && nowSec < issued - LEEWAY_SEC)
    throw tokenError('PGRST303', 'JWT issued at future');
  checkAudience(claims['aud'], audience);
}

function readTime(claims: Claims, name: string): number | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw tokenError('PGRST303', `The JWT '${name}' claim must be a number`);
}

/** Checks the audience. A token without an audience is valid for every audience. */
function checkAudience(value: unknown, audience: string | undefined): void {
  if (value === undefined || value === null) return;
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string'))
    throw tokenError('PGRST303', "The JWT 'aud' claim must be a string or an array of strings");
  if (audience !== undefined && names.length > 0 && !names.includes(audience))
    throw tokenError('PGRST303', 'JWT not in audience');
}
