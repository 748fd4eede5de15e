import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { AppError, messageOf } from '../../../base/errors.ts';
import { describeFileFault } from '../../../base/text/describe-file-fault.ts';

/** Absolute paths of PEM files. */
export interface TlsPlaces {
  /** Authorities that coordinators' certificates may be signed by, instead of those of the system. */
  readonly ca?: string | undefined;
  /** The worker's own certificate and its key: both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

interface TlsTexts {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The certificates of a worker, read anew when their files change, so that they can be renewed while it runs. */
export class TlsFiles {
  readonly #places: readonly (readonly [name: keyof TlsPlaces, file: string])[];
  #texts: TlsTexts;
  #mark: string;

  /** Throws `bad_request` for a file that cannot be read. */
  constructor({ ca, cert, key }: TlsPlaces) {
    if ((cert === undefined) !== (key === undefined))
      throw new AppError('bad_request', 'Options --tls-cert and --tls-key must be used together.');
    const places = Object.entries({ ca, cert, key }) as [keyof TlsPlaces, string | undefined][];
    this.#places = places.flatMap(([name, file]) => (file === undefined ? [] : [[name, file] as const]));
    this.#texts = this.#readAll();
    this.#mark = this.#readMark();
  }

  /** As options of a TLS connection. */
  read(): TlsTexts {
    return this.#texts;
  }

  /**
   * The id that its own certificate is for: a URI `urn:stepwright:worker:<id>` among the alternative names, else the common
   * name; undefined without a certificate. Throws `bad_request` for one that cannot be read.
   */
  ownName(): string | undefined {
    const { cert } = this.#texts;
    if (cert === undefined) return undefined;
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(cert);
    } catch (thrown) {
      throw new AppError(
        'bad_request',
        `The worker certificate (--tls-cert) is not valid PEM: ${messageOf(thrown)}`,
        {
          cause: thrown,
        },
      );
    }
    const [, named] =
      /(?:^|, )URI:urn:stepwright:worker:([^,]+)/.exec(certificate.subjectAltName ?? '') ?? [];
    const [, common] = /^CN=(.+)$/m.exec(certificate.subject) ?? [];
    return named ?? common;
  }

  /** Looks whether the files have changed. Keeps what it has when they cannot be read now. */
  refresh(): void {
    try {
      const mark = this.#readMark();
      if (mark === this.#mark) return;
      this.#texts = this.#readAll();
      this.#mark = mark;
    } catch {
      // Whoever replaces a file is in the middle of it.
    }
  }

  #readMark(): string {
    return this.#places.map(([, file]) => `${statSync(file).mtimeMs} ${statSync(file).ino}`).join();
  }

  #readAll(): TlsTexts {
    return Object.fromEntries(
      this.#places.map(([name, file]) => {
        try {
          return [name, readFileSync(file, 'utf8')];
        } catch (thrown) {
          throw new AppError(
            'bad_request',
            `Cannot read ${file} (--tls-${name}): ${describeFileFault(thrown)}`,
            {
              cause: thrown,
            },
          );
        }
      }),
    );
  }
}
