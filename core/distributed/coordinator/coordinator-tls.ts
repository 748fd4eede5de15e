import { createSecureContext, type TLSSocket } from 'node:tls';
import type { Server as HttpsServer } from 'node:https';
import {
  explain,
  readKeyPair,
  readPem,
  type KeyPair,
  type TlsFiles,
  warnAboutExpiry,
  watchFiles,
} from '../../http/tls.ts';
import type { Clock, Dispose } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';

/** TLS files of a coordinator; absolute paths, PEM. */
export interface CoordinatorTls extends TlsFiles {
  /** Certificate authorities of worker certificates; without them workers join by token. */
  readonly clientCaFile?: string | undefined;
  /** Revocation list of each of these authorities; requires `clientCaFile`. */
  readonly crlFile?: string | undefined;
}

/** TLS settings of the server. */
export interface SecureContext extends KeyPair {
  readonly ca?: Buffer;
  readonly crl?: Buffer;
}

const settings = {
  pair: '"coordinator.tls" (ENGINE_COORDINATOR_TLS_CERT, ENGINE_COORDINATOR_TLS_KEY)',
  clientCa: '"coordinator.tls.clientCaFile" (ENGINE_COORDINATOR_TLS_CLIENT_CA)',
  crl: '"coordinator.tls.crlFile" (ENGINE_COORDINATOR_TLS_CRL)',
} as const;

/** Reads and validates all files. Throws `invalid_config` with the file name. */
export function readSecureContext({ clientCaFile, crlFile, ...pairFiles }: CoordinatorTls): SecureContext {
  const pair = readKeyPair({ ...pairFiles, settings: settings.pair });
  if (clientCaFile === undefined) return pair;
  const ca = readPem(clientCaFile, 'worker CA', settings.clientCa);
  explain(
    () => createSecureContext({ ca }),
    `The worker CA file ${clientCaFile} is not valid PEM`,
    settings.clientCa,
  );
  if (crlFile === undefined) return { ...pair, ca };
  const crl = readPem(crlFile, 'revocation list', settings.crl);
  explain(
    () => createSecureContext({ ca, crl }),
    `The revocation list ${crlFile} is not valid PEM`,
    settings.crl,
  );
  return { ...pair, ca, crl };
}

/** Returns all configured files. */
const listTlsFiles = ({ certFile, keyFile, clientCaFile, crlFile }: CoordinatorTls): string[] =>
  [certFile, keyFile, clientCaFile, crlFile].filter((file) => file !== undefined);

export interface TrustOptions {
  readonly files: CoordinatorTls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after new files have been loaded. */
  readonly renewed: () => void;
}

/**
 * Reloads certificates, authorities and revocation lists without a restart, and tracks which connections are older, so
 * that they must authenticate again.
 */
export class Trust {
  readonly #made = new WeakMap<object, number>();
  readonly #end: Dispose;
  #generation = 0;

  constructor(server: HttpsServer, { files, clock, logger, renewed }: TrustOptions) {
    server.on('secureConnection', (socket: TLSSocket) => this.#made.set(socket, this.#generation));
    this.#end = watchFiles(listTlsFiles(files), clock, () => {
      try {
        const context = readSecureContext(files);
        server.setSecureContext(context);
        this.#generation += 1;
        logger.info('loaded the new coordinator certificates');
        warnAboutExpiry(context, files, { clock, logger });
        renewed();
      } catch (error) {
        logger.warn(`keeping the current certificates: ${getErrorMessage(error)}`);
      }
    });
  }

  /** Whether a connection was made with the current files. */
  isCurrent(socket: object): boolean {
    return this.#made.get(socket) === this.#generation;
  }

  close(): void {
    this.#end();
  }
}
