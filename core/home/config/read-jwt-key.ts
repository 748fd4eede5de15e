import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { getErrorMessage } from '../../base/errors.ts';
import { getText } from '../../spec/source.ts';
import type { ReadValue } from './config-key.ts';

/** A JWK that verifies signatures; for asymmetric keys, only the public key. */
export interface JwtKey extends JsonWebKey {
  readonly kty: KeyType;
  readonly kid?: string;
  /** The only algorithm that the key may be used with. */
  readonly alg?: string;
}

const keyTypes = ['oct', 'RSA', 'EC', 'OKP'] as const;

export type KeyType = (typeof keyTypes)[number];

/** Minimum key size of HMAC: 256 bits (RFC 7518, 3.2). */
const MIN_SECRET_BYTES = 32;
/** RFC 7518, 3.3. */
const MIN_RSA_BITS = 2048;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/** Values that are known to others or easy to guess, and would become an HMAC secret by mistake. */
const mistakes: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /^(ssh-[a-z0-9]+|ecdsa-sha2-\S+|sk-\S+) AAAA/,
    'is an OpenSSH public key. Convert it to PEM: ssh-keygen -e -m PKCS8 -f key.pub.',
  ],
  [/^https?:\/\/\S+$/i, 'is a URL. Set it to the JWK set that the URL serves.'],
  [
    /^(@|\.{0,2}[\\/]|[a-z]:\\)\S*\.(pem|key|pub|crt|cer|der|jwks?|json)$/i,
    'is a file path. Set it to the content of the file.',
  ],
];

/**
 * Parses `gateway.jwtKey`: a secret, a JWK, a JWK set, or a public key or certificate as PEM or base64 DER.
 * @throws Error whose message continues a sentence that starts with the name of the setting
 */
export function parseJwtKey(text: string): readonly JwtKey[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return parseJwks(trimmed);
  if (isJwkList(trimmed)) return parseJwks(`{"keys":${trimmed}}`);
  if (trimmed.includes('-----BEGIN')) return [toJwk(parsePem(trimmed))];
  for (const [pattern, message] of mistakes) if (pattern.test(trimmed)) throw new Error(message);
  const decoded = decodeBase64(trimmed);
  if (decoded !== undefined) {
    const inner = decoded.toString('latin1');
    if (inner.includes('-----BEGIN') || isJwkText(inner)) return parseJwtKey(inner);
    const found = findDerKey(decoded);
    if (found !== undefined) return [toJwk(found)];
  }
  const secret = Buffer.from(text);
  if (text.length < MIN_SECRET_BYTES)
    throw new Error(`is a secret of ${text.length} characters. Use at least ${MIN_SECRET_BYTES}.`);
  return [{ kty: 'oct', k: secret.toString('base64url') }];
}

/** Validates with {@link parseJwtKey}; the value stays a string. */
export const jwtKey: ReadValue<string> = (source, report) => {
  const text = source.node.kind === 'scalar' ? getText(source.node).trim() : '';
  try {
    parseJwtKey(text);
    return text;
  } catch (error) {
    report.error(source, `"${source.path}" ${getErrorMessage(error)}`);
    return undefined;
  }
};

function parseJwks(text: string): readonly JwtKey[] {
  let value: { readonly keys?: unknown };
  try {
    value = JSON.parse(text) as { readonly keys?: unknown };
  } catch {
    throw new Error('starts with "{" but is not JSON. Use a JWK or a JWK set.');
  }
  const list: readonly unknown[] = Array.isArray(value.keys) ? value.keys : [value];
  const keys = list.flatMap((jwk, index) => readJwk(jwk, `contains an invalid key (key ${index + 1})`));
  if (keys.length > 0) return keys;
  throw new Error('contains no signature verification key. Use a JWK set with at least one such key.');
}

/** Returns an empty list for keys with another purpose, which providers list in the same set. */
function readJwk(value: unknown, configPath: string): readonly JwtKey[] {
  const jwk = (value ?? {}) as JsonWebKey & { readonly use?: unknown; readonly kid?: unknown };
  const kty = keyTypes.find((each) => each === jwk.kty);
  if (kty === undefined) throw new Error(`${configPath}: "kty" must be one of ${keyTypes.join(', ')}.`);
  const alg = typeof jwk['alg'] === 'string' ? jwk['alg'] : undefined;
  const keyType = alg === undefined ? kty : getKeyType(alg);
  if (jwk.use === 'enc' || keyType === undefined) return [];
  if (keyType !== kty) throw new Error(`${configPath}: "alg" ${alg} does not match "kty" ${kty}.`);
  const key = kty === 'oct' ? readSecret(jwk, configPath) : readPublicKey(jwk, configPath);
  return [
    { ...key, ...(typeof jwk.kid === 'string' && { kid: jwk.kid }), ...(alg !== undefined && { alg }) },
  ];
}

function readSecret({ k }: JsonWebKey, configPath: string): JwtKey {
  const bytes = Buffer.from(typeof k === 'string' ? k : '', 'base64url');
  if (bytes.length < MIN_SECRET_BYTES)
    throw new Error(`${configPath}: "k" is ${bytes.length} bytes. Use at least ${MIN_SECRET_BYTES}.`);
  if (bytes.includes('-----BEGIN') || findDerKey(bytes) !== undefined)
    throw new Error(`${configPath}: "k" is a public or private key, not a secret. Use "kty" RSA, EC or OKP.`);
  return { kty: 'oct', k: bytes.toString('base64url') };
}

function readPublicKey(jwk: JsonWebKey, configPath: string): JwtKey {
  const names = ['kty', 'n', 'e', 'crv', 'x', 'y'];
  const publicHalf = Object.fromEntries(Object.entries(jwk).filter(([name]) => names.includes(name)));
  let key: KeyObject;
  try {
    key = createPublicKey({ key: publicHalf, format: 'jwk' });
  } catch (error) {
    throw new Error(`${configPath}: ${getErrorMessage(error)}.`, { cause: error });
  }
  return toJwk(key);
}

/** @param text with `\n` as line breaks if it comes from an environment variable */
function parsePem(text: string): KeyObject {
  const pem = text.replaceAll('\\n', '\n');
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, label]) => label!);
  if (labels.some((label) => label.endsWith('PRIVATE KEY'))) throw privateKeyError();
  if (labels.length > 1)
    throw new Error(`contains ${labels.length} PEM blocks. Use one public key, or a JWK set for several.`);
  try {
    return createPublicKey(pem);
  } catch (error) {
    const message = `looks like PEM but contains no readable public key or certificate (${getErrorMessage(error)}).`;
    throw new Error(`${message} Use SPKI PEM or a JWK.`, { cause: error });
  }
}

const privateKeyError = (): Error =>
  new Error('is a private key. Use its public key: openssl pkey -in key.pem -pubout.');

/**
 * Returns the public key in DER; undefined for anything else.
 * @throws Error for a private key
 */
function findDerKey(der: Buffer): KeyObject | undefined {
  const SEQUENCE = 0x30;
  if (der[0] !== SEQUENCE) return undefined;
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const)
    if (attempt(() => createPrivateKey({ key: der, format: 'der', type })) !== undefined)
      throw privateKeyError();
  return (
    attempt(() => createPublicKey({ key: der, format: 'der', type: 'spki' })) ??
    attempt(() => createPublicKey({ key: der, format: 'der', type: 'pkcs1' })) ??
    attempt(() => new X509Certificate(der).publicKey)
  );
}

function attempt(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @throws Error for a key without a supported algorithm */
function toJwk(key: KeyObject): JwtKey {
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details = {} } = key;
  const { modulusLength = 0, namedCurve = '' } = details;
  if (type === 'rsa' && modulusLength < MIN_RSA_BITS)
    throw new Error(`contains an RSA key of ${modulusLength} bits. Use at least ${MIN_RSA_BITS}.`);
  if (type !== 'rsa' && type !== 'ed25519' && !CURVES.includes(namedCurve))
    throw new Error(
      `contains a key of type ${[type, namedCurve].join(' ').trim()}. Use RSA, EC (P-256, P-384, P-521) or Ed25519.`,
    );
  return key.export({ format: 'jwk' }) as JwtKey;
}

const decodeBase64 = (text: string): Buffer | undefined =>
  /^[A-Za-z0-9+/_=\s-]+$/.test(text) ? Buffer.from(text, 'base64') : undefined;

function isJwkText(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    const value = JSON.parse(text) as { readonly kty?: unknown; readonly keys?: unknown };
    return value.kty !== undefined || Array.isArray(value.keys);
  } catch {
    return false;
  }
}

const isJwkList = (text: string): boolean => text.startsWith('[') && isJwkText(`{"keys":${text}}`);

/** Returns the key type of a signature algorithm; undefined if it is not supported. */
export function getKeyType(algorithm: string): KeyType | undefined {
  if (/^HS(256|384|512)$/.test(algorithm)) return 'oct';
  if (/^[RP]S(256|384|512)$/.test(algorithm)) return 'RSA';
  if (/^ES(256|384|512)$/.test(algorithm)) return 'EC';
  return algorithm === 'EdDSA' || algorithm === 'Ed25519' ? 'OKP' : undefined;
}
