import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AppError, messageOf } from '../../base/errors.ts';

/** Absolute paths of a certificate and its private key, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Names of their settings, for error messages. */
  readonly settings?: string;
}

const serverSettings = '"server.tls" (ENGINE_CERT_FILE, ENGINE_KEY_FILE)';

/** Certificate and key of a server. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  /** Expiry of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/** Reads both files and checks that they match. Throws `invalid_config` with the file name. */
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

/** Reads a PEM file. Throws `invalid_config` with its name and setting. */
export function readPem(file: string, what: string, settings: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? messageOf(error);
    throw new AppError('invalid_config', `Cannot read ${what} ${file} (${reason}). Fix ${settings}.`, {
      cause: error,
    });
  }
}

/** Wraps an error of the library: prefixes a sentence and appends the settings to change. */
export function explain<Result>(action: () => Result, sentence: string, settings: string): Result {
  try {
    return action();
  } catch (error) {
    const message = `${sentence}: ${messageOf(error)}. Fix ${settings}.`;
    throw new AppError('invalid_config', message, { cause: error });
  }
}
