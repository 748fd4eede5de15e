import { key, optionalKey, type ConfigTable } from '../config-key.ts';
import { basePath, filePath, text, webPrefix, words } from '../values/read-texts.ts';
import { flag, oneOf, wholeNumber } from '../values/read-values.ts';

/** What `engine server` and `engine start-all` listen to. */
export const serverSection = {
  /** Name or address to listen on; other than loopback only with a password, or `allowRemote`. */
  host: key(text, '127.0.0.1', 'ENGINE_HOST'),
  /** 0 for any free one. */
  port: key(wholeNumber(0, 65_535), 8080, 'ENGINE_PORT'),
  /** Lets other machines reach a server that asks for no password. */
  allowRemote: key(flag, false, 'ENGINE_ALLOW_REMOTE'),
  /** Before every path, for a proxy that hands it on: empty, or `/flows`. */
  basePath: key(basePath, '', 'ENGINE_BASE_PATH'),
  /** Where people reach the server, when a proxy is before it. */
  publicUrl: optionalKey(webPrefix, 'ENGINE_PUBLIC_URL', 'ENGINE_AUTH_OIDC_CLIENT_URL'),
  /** Paths of the API that ask for no credentials; `*` stands for a part between slashes. */
  servicePaths: key(words, ['/api/v2/metrics', '/api/v*/health'], 'ENGINE_SERVICE_PATHS'),
  /** What becomes of active runs when the server is told to end: they end in order, or go on, for the next host. */
  onStop: key(oneOf('stop', 'leave'), 'stop', 'ENGINE_ON_STOP'),
  /** Connections that are served at once, streams included; further ones are told to come later. */
  maxConnections: key(wholeNumber(1, 1_000_000), 2000, 'ENGINE_SERVER_MAX_CONNECTIONS'),
  tls: {
    /** Certificate, and those above it, in PEM. */
    certFile: optionalKey(filePath, 'ENGINE_CERT_FILE'),
    /** Its private key in PEM. */
    keyFile: optionalKey(filePath, 'ENGINE_KEY_FILE'),
  },
} as const satisfies ConfigTable;
