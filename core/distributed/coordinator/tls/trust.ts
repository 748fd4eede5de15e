import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Clock, Dispose } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import { warnOfExpiry } from '../../../http/tls/renewal.ts';
import { watchFiles } from '../../../http/tls/watch-files.ts';
import { listTlsFiles, readSecureContext, type CoordinatorTls } from './coordinator-tls.ts';

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
        warnOfExpiry(context, files, { clock, logger });
        renewed();
      } catch (error) {
        logger.warn(`keeping the current certificates: ${messageOf(error)}`);
      }
    });
  }

  /** Whether a connection was made with the current files. */
  isOfNow(socket: object): boolean {
    return this.#made.get(socket) === this.#generation;
  }

  close(): void {
    this.#end();
  }
}
