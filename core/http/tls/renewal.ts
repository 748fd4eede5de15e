import type { Server } from 'node:https';
import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { readKeyPair, type KeyPair, type TlsFiles } from './key-pair.ts';
import { watchFiles } from './watch-files.ts';

const day = 86_400_000;
/** Whoever renews by hand wants to hear of it this early. */
const warnBeforeMs = 14 * day;

/**
 * Gives the server a new certificate when its files change; connections that are open go on with the old one. Files
 * count when they have not changed between two looks, since the two are written one after the other. A pair that is
 * no good is logged once, and the old one stays.
 * @returns ends it
 */
export function renewKeyPair(
  server: Pick<Server, 'setSecureContext'>,
  files: TlsFiles,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Dispose {
  return watchFiles([files.certFile, files.keyFile], clock, () => {
    try {
      const pair = readKeyPair(files);
      server.setSecureContext(pair);
      logger.info(`loaded the new certificate ${files.certFile}`);
      warnOfEnd(pair, files, { clock, logger });
    } catch (thrown) {
      logger.warn(`keeping the current certificate: ${messageOf(thrown)}`);
    }
  });
}

/** Says so when a certificate ends soon, or has ended. */
export function warnOfEnd(
  { validUntil }: KeyPair,
  { certFile }: TlsFiles,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): void {
  const left = validUntil - clock.now();
  if (left > warnBeforeMs) return;
  const when = new Date(validUntil).toISOString();
  logger.warn(`certificate ${certFile} ${left > 0 ? 'expires' : 'has expired'} at ${when}; renew it`);
}
