import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { filePath, text, webPrefix } from '../values/read-texts.ts';
import { flag, wholeNumber } from '../values/read-values.ts';

/** Settings of `engine coordinator`, which serves workers (docs/distributed.md). */
export const coordinatorSection = {
  /** Host name or address to listen on. */
  host: key(text, '127.0.0.1', 'ENGINE_COORDINATOR_HOST'),
  /** 0 for any free port. */
  port: key(wholeNumber(0, 65_535), 8190, 'ENGINE_COORDINATOR_PORT'),
  /** Address for workers if it differs from the listen address; only displayed. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_COORDINATOR_URL'),
  /** Maximum number of concurrent connections; each waiting worker has one. */
  maxConnections: key(wholeNumber(1, 1_000_000), 20_000, 'ENGINE_COORDINATOR_MAX_CONNECTIONS'),
  /** Whether log chunks are flushed to disk before a worker may delete its own. */
  syncLogs: key(flag, true, 'ENGINE_COORDINATOR_SYNC_LOGS'),
  tls: {
    /** If disabled, only workers on this machine are served. */
    enabled: key(flag, true, 'ENGINE_COORDINATOR_TLS'),
    /** Certificate chain in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CERT'),
    /** Private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_KEY'),
    /** CA certificates for workers' certificates, in PEM; without them, workers join with tokens. */
    clientCaFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CLIENT_CA'),
    /** Certificate revocation list of these CAs, in PEM. */
    crlFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CRL'),
  },
} as const satisfies ConfigTable;
