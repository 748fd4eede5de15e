import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { AppError, getErrorMessage, formatFsError } from '../../base/errors.ts';

/** Absolute paths of PEM files. */
export interface TlsPaths {
  /** Certificate authorities of coordinators, instead of the system's. */
  readonly ca?: string | undefined;
  /** The worker's certificate and key: both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

interface TlsTexts {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** TLS files of a worker, reloaded when changed, so that certificates can be renewed while it runs. */
export class TlsFiles {
  readonly #paths: readonly (readonly [name: keyof TlsPaths, file: string])[];
  #texts: TlsTexts;
  #version: string;

  /** Throws `bad_request` for an unreadable file. */
  constructor({ ca, cert, key }: TlsPaths) {
    if ((cert === undefined) !== (key === undefined))
      throw new AppError('bad_request', 'Options --tls-cert and --tls-key must be used together.');
    const pathEntries = Object.entries({ ca, cert, key }) as [keyof TlsPaths, string | undefined][];
    this.#paths = pathEntries.flatMap(([name, file]) => (file === undefined ? [] : [[name, file] as const]));
    this.#texts = this.#readAll();
    this.#version = this.#readVersion();
  }

  /** Returns the options of a TLS connection. */
  read(): TlsTexts {
    return this.#texts;
  }

  /**
   * Returns the id in the worker's certificate: a subject alternative name URI `urn:stepwright:worker:<id>`, else the
   * common name; undefined without a certificate. Throws `bad_request` for an invalid certificate.
   */
  certificateName(): string | undefined {
    const { cert } = this.#texts;
    if (cert === undefined) return undefined;
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(cert);
    } catch (error) {
      throw new AppError(
        'bad_request',
        `The worker certificate (--tls-cert) is not valid PEM: ${getErrorMessage(error)}`,
        {
          cause: error,
        },
      );
    }
    const [, uriName] =
      /(?:^|, )URI:urn:stepwright:worker:([^,]+)/.exec(certificate.subjectAltName ?? '') ?? [];
    const [, commonName] = /^CN=(.+)$/m.exec(certificate.subject) ?? [];
    return uriName ?? commonName;
  }

  /** Reloads changed files. Keeps the current contents if they cannot be read. */
  refresh(): void {
    try {
      const version = this.#readVersion();
      if (version === this.#version) return;
      this.#texts = this.#readAll();
      this.#version = version;
    } catch {
      // The files are being replaced.
    }
  }

  #readVersion(): string {
    return this.#paths.map(([, file]) => `${statSync(file).mtimeMs} ${statSync(file).ino}`).join();
  }

  #readAll(): TlsTexts {
    return Object.fromEntries(
      this.#paths.map(([name, file]) => {
        try {
          return [name, readFileSync(file, 'utf8')];
        } catch (error) {
          throw new AppError('bad_request', `Cannot read ${file} (--tls-${name}): ${formatFsError(error)}`, {
            cause: error,
          });
        }
      }),
    );
  }
}
