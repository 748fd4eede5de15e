import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { basePath, filePath, text, webPrefix, wordList } from '../values/read-texts.ts';
import { flag, oneOf, wholeNumber } from '../values/read-values.ts';

/** Listen settings of `engine server` and `engine start-all`. */
export const serverSection = {
  /** Host name or address to listen on; addresses other than loopback require a password or `allowRemote`. */
  host: key(text, '127.0.0.1', 'ENGINE_HOST'),
  /** 0 for any free port. */
  port: key(wholeNumber(0, 65_535), 8080, 'ENGINE_PORT'),
  /** Allows access from other machines to a server without authentication. */
  allowRemote: key(flag, false, 'ENGINE_ALLOW_REMOTE'),
  /** Prefix of every path, for a reverse proxy that does not remove it: empty, or `/flows`. */
  basePath: key(basePath, '', 'ENGINE_BASE_PATH'),
  /** Public URL of the server behind a proxy. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_PUBLIC_URL', 'ENGINE_AUTH_OIDC_CLIENT_URL'),
  /** API paths without authentication; `*` matches one path segment. */
  servicePaths: key(wordList, ['/api/v2/metrics', '/api/v*/health'], 'ENGINE_SERVICE_PATHS'),
  /**
   * Handling of active runs when the server stops: they are stopped gracefully, or continue under the next host.
   */
  onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_ON_STOP'),
  /** Maximum number of concurrent connections, including streams; further ones are rejected with a retry time. */
  maxConnections: key(wholeNumber(1, 1_000_000), 2000, 'ENGINE_SERVER_MAX_CONNECTIONS'),
  tls: {
    /** Certificate chain in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_CERT_FILE'),
    /** Private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_KEY_FILE'),
  },
} as const satisfies ConfigTable;
