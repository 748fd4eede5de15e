import { createSecureContext } from 'node:tls';
import { explain, readKeyPair, readPem, type KeyPair, type TlsFiles } from '../../../http/tls/key-pair.ts';

/** Files of a coordinator; all absolute, all PEM. */
export interface CoordinatorTls extends TlsFiles {
  /** Authorities whose certificates workers prove themselves with; without it they join by tokens. */
  readonly clientCaFile?: string | undefined;
  /** Certificates that were taken back, from each of those authorities; takes the file above. */
  readonly crlFile?: string | undefined;
}

/** What the server is made of, or gets anew. */
export interface SecureContext extends KeyPair {
  readonly ca?: Buffer;
  readonly crl?: Buffer;
}

const settings = {
  pair: '"coordinator.tls" (ENGINE_COORDINATOR_TLS_CERT, ENGINE_COORDINATOR_TLS_KEY)',
  clientCa: '"coordinator.tls.clientCaFile" (ENGINE_COORDINATOR_TLS_CLIENT_CA)',
  crl: '"coordinator.tls.crlFile" (ENGINE_COORDINATOR_TLS_CRL)',
} as const;

/** Reads all files and sees whether they make a server. Throws `invalid_config`, naming the file. */
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

/** All files that there are. */
export const listTlsFiles = ({ certFile, keyFile, clientCaFile, crlFile }: CoordinatorTls): string[] =>
  [certFile, keyFile, clientCaFile, crlFile].filter((file) => file !== undefined);
