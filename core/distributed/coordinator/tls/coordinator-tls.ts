import { createSecureContext } from 'node:tls';
import { explain, readKeyPair, readPem, type KeyPair, type TlsFiles } from '../../../http/tls/key-pair.ts';

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
export const listTlsFiles = ({ certFile, keyFile, clientCaFile, crlFile }: CoordinatorTls): string[] =>
  [certFile, keyFile, clientCaFile, crlFile].filter((file) => file !== undefined);
