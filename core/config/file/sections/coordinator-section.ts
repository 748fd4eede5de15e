import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { filePath, text, webPrefix } from '../values/read-texts.ts';
import { flag, wholeNumber } from '../values/read-values.ts';

/** What `engine coordinator` serves workers with (docs/distributed.md). */
export const coordinatorSection = {
  /** Name or address to listen on. */
  host: key(text, '127.0.0.1', 'ENGINE_COORDINATOR_HOST'),
  /** 0 for any free one. */
  port: key(wholeNumber(0, 65_535), 8190, 'ENGINE_COORDINATOR_PORT'),
  /** Where workers reach it, when that is another address; for people. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_COORDINATOR_URL'),
  /** Connections that are served at once; each waiting worker has one. */
  maxConnections: key(wholeNumber(1, 1_000_000), 20_000, 'ENGINE_COORDINATOR_MAX_CONNECTIONS'),
  /** Whether parts of logs are on the disk before a worker is told that it may remove its own. */
  syncLogs: key(flag, true, 'ENGINE_COORDINATOR_SYNC_LOGS'),
  tls: {
    /** Without it only workers of this machine are served. */
    enabled: key(flag, true, 'ENGINE_COORDINATOR_TLS'),
    /** Certificate, and those above it, in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CERT'),
    /** Its private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_KEY'),
    /** Authorities of the workers' certificates, in PEM; without it they join by tokens. */
    clientCaFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CLIENT_CA'),
    /** Certificates that those authorities took back, in PEM. */
    crlFile: optionalKey(filePath, 'ENGINE_COORDINATOR_TLS_CRL'),
  },
} as const satisfies ConfigTable;
