import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AppError, messageOf } from '../../base/errors.ts';

/** Where a certificate and its private key lie; both absolute, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** What a server proves itself with. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  /** End of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/** Reads both files and sees whether they belong together. Throws `invalid_config`, naming the file. */
export function readKeyPair({ certFile, keyFile }: TlsFiles): KeyPair {
  const cert = readPem(certFile, 'certificate');
  const key = readPem(keyFile, 'key');
  const options = { cert, key, minVersion: 'TLSv1.2' } as const;
  const certificate = explain(
    () => new X509Certificate(cert),
    `The certificate ${certFile} cannot be read as PEM`,
  );
  explain(
    () => createSecureContext(options),
    `The certificate ${certFile} and the key ${keyFile} do not make a pair`,
  );
  return { ...options, validUntil: certificate.validToDate.getTime() };
}

/** Changes when one of the files does; empty while one of them cannot be found. */
export function fingerprint({ certFile, keyFile }: TlsFiles): string {
  try {
    return [certFile, keyFile]
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
      .join(', ');
  } catch {
    return '';
  }
}

function readPem(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (thrown) {
    const reason = (thrown as NodeJS.ErrnoException).code ?? messageOf(thrown);
    throw new AppError(
      'invalid_config',
      `The ${what} ${file} cannot be read (${reason}). Mend "server.tls" (ENGINE_CERT_FILE, ENGINE_KEY_FILE).`,
      { cause: thrown },
    );
  }
}

function explain<Result>(action: () => Result, sentence: string): Result {
  try {
    return action();
  } catch (thrown) {
    throw new AppError('invalid_config', `${sentence}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}
