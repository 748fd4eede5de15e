import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a value with AES-256-GCM.
 * @param bound what the value belongs to, such as the name of the secret: it can only be opened for the same
 * @returns nonce, tag and ciphertext, in Base64
 */
export function seal(value: Buffer, key: Buffer, bound: readonly string[]): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  cipher.setAAD(encodeBound(bound));
  const content = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64');
}

/** Decrypts a value; undefined if the key is another one, or the value was changed or belongs to something else. */
export function unseal(sealed: string, key: Buffer, bound: readonly string[]): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(encodeBound(bound));
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const encodeBound = (bound: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify(['stepwright', 1, ...bound]));
