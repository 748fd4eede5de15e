import type { Server } from 'node:https';
import type { Clock, Dispose } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { readKeyPair, type KeyPair, type TlsFiles } from './key-pair.ts';
import { watchFiles } from './watch-files.ts';

const day = 86_400_000;
/** Time before expiry at which a warning appears. */
const warnBeforeMs = 14 * day;

/**
 * Reloads a changed certificate; open connections continue with the old one. Files are reloaded when unchanged between
 * two checks, because they are written one after the other. An invalid pair is logged once, and the old one stays in
 * use.
 * @returns a function that stops watching
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
      warnOfExpiry(pair, files, { clock, logger });
    } catch (error) {
      logger.warn(`keeping the current certificate: ${messageOf(error)}`);
    }
  });
}

/** Warns if a certificate expires soon or has expired. */
export function warnOfExpiry(
  { validUntil }: KeyPair,
  { certFile }: TlsFiles,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): void {
  const remainingMs = validUntil - clock.now();
  if (remainingMs > warnBeforeMs) return;
  const when = new Date(validUntil).toISOString();
  logger.warn(`certificate ${certFile} ${remainingMs > 0 ? 'expires' : 'has expired'} at ${when}; renew it`);
}
