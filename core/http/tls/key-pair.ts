import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AppError, messageOf } from '../../base/errors.ts';

/** Where a certificate and its private key lie; both absolute, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The settings that name them, for those who have to mend them. */
  readonly settings?: string;
}

const serverSettings = '"server.tls" (ENGINE_CERT_FILE, ENGINE_KEY_FILE)';

/** What a server proves itself with. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  /** End of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/** Reads both files and sees whether they belong together. Throws `invalid_config`, naming the file. */
export function readKeyPair({ certFile, keyFile, settings = serverSettings }: TlsFiles): KeyPair {
  const cert = readPem(certFile, 'certificate', settings);
  const key = readPem(keyFile, 'key', settings);
  const options = { cert, key, minVersion: 'TLSv1.2' } as const;
  const certificate = explain(
    () => new X509Certificate(cert),
    `Certificate ${certFile} is not valid PEM`,
    settings,
  );
  explain(() => createPrivateKey(key), `Key ${keyFile} is not valid PEM, or is encrypted`, settings);
  explain(
    () => createSecureContext(options),
    `Certificate ${certFile} and key ${keyFile} do not match`,
    settings,
  );
  return { ...options, validUntil: certificate.validToDate.getTime() };
}

/** Reads a file of certificates, keys or revocations. Throws `invalid_config`, naming it and the settings to mend. */
export function readPem(file: string, what: string, settings: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    const reason = (thrown as NodeJS.ErrnoException).code ?? messageOf(thrown);
    throw new AppError('invalid_config', `Cannot read ${what} ${file} (${reason}). Fix ${settings}.`, {
      cause: thrown,
    });
  }
}

/** Puts a sentence before what the library says of a file, and the settings to mend after it. */
export function explain<Result>(action: () => Result, sentence: string, settings: string): Result {
  try {
    return action();
  } catch (thrown) {
    const message = `${sentence}: ${messageOf(thrown)}. Fix ${settings}.`;
    throw new AppError('invalid_config', message, { cause: thrown });
  }
}
