import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Server, Server as HttpsServer } from 'node:https';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, getErrorMessage } from '../base/errors.ts';
import type { Clock, Dispose } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { isServerHost, type ServerNames, responseHeaders } from './origin-guard.ts';

/** Absolute paths of a certificate and its private key, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Names of their settings, for error messages. */
  readonly settings?: string;
}

const serverSettings = '"server.tls" (ENGINE_CERT_FILE, ENGINE_KEY_FILE)';

/** Certificate and key of a server. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly minVersion: 'TLSv1.2';
  /** Expiry of the certificate, epoch milliseconds. */
  readonly validUntil: number;
}

/** Reads both files and checks that they match. Throws `invalid_config` with the file name. */
export function readKeyPair({ certFile, keyFile, settings = serverSettings }: TlsFiles): KeyPair {
  const cert = readPem(certFile, 'certificate', settings);
  const key = readPem(keyFile, 'key', settings);
  const options = { cert, key, minVersion: 'TLSv1.2' } as const;
  const certificate = explain(
    () => new X509Certificate(cert),
    `Certificate ${certFile} is not valid PEM`,
    settings,
  );
  explain(() => createPrivateKey(key), `Key ${keyFile} is not valid PEM, or is encrypted`, settings);
  explain(
    () => createSecureContext(options),
    `Certificate ${certFile} and key ${keyFile} do not match`,
    settings,
  );
  return { ...options, validUntil: certificate.validToDate.getTime() };
}

/** Reads a PEM file. Throws `invalid_config` with its name and setting. */
export function readPem(file: string, what: string, settings: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? getErrorMessage(error);
    throw new AppError('invalid_config', `Cannot read ${what} ${file} (${reason}). Fix ${settings}.`, {
      cause: error,
    });
  }
}

/** Wraps an error of the library: prefixes a sentence and appends the settings to change. */
export function explain<Result>(action: () => Result, sentence: string, settings: string): Result {
  try {
    return action();
  } catch (error) {
    const message = `${sentence}: ${getErrorMessage(error)}. Fix ${settings}.`;
    throw new AppError('invalid_config', message, { cause: error });
  }
}

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
      warnAboutExpiry(pair, files, { clock, logger });
    } catch (error) {
      logger.warn(`keeping the current certificate: ${getErrorMessage(error)}`);
    }
  });
}

/** Warns if a certificate expires soon or has expired. */
export function warnAboutExpiry(
  { validUntil }: KeyPair,
  { certFile }: TlsFiles,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): void {
  const remainingMs = validUntil - clock.now();
  if (remainingMs > warnBeforeMs) return;
  const when = new Date(validUntil).toISOString();
  logger.warn(`certificate ${certFile} ${remainingMs > 0 ? 'expires' : 'has expired'} at ${when}; renew it`);
}

/** Polling interval of the files. */
export const renewalIntervalMs = 5000;

/**
 * Calls back when files have changed and then stayed unchanged between two checks, because related files are written
 * one after the other. While a file is missing, nothing is reported.
 * @returns a function that stops watching
 */
export function watchFiles(files: readonly string[], clock: Clock, changed: () => void): Dispose {
  let lastFingerprint = fingerprint(files);
  let seen = lastFingerprint;
  return clock.every(renewalIntervalMs, () => {
    const before = seen;
    seen = fingerprint(files);
    if (seen !== before || seen === lastFingerprint || seen === '') return;
    lastFingerprint = seen;
    changed();
  });
}

/** Returns a string that changes with the files; empty while one is missing. */
function fingerprint(files: readonly string[]): string {
  try {
    return files
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)
      .join(', ');
  } catch {
    return '';
  }
}

/** First byte of a TLS connection: a handshake record (RFC 8446, 5.1). */
const handshake = 22;

/**
 * Redirects plain http requests on the https port to the same URL with https. The first byte of a connection
 * distinguishes the protocols. Requests with a foreign host name are rejected, so that the server never redirects
 * elsewhere.
 */
export function redirectToHttps(
  server: HttpsServer,
  {
    names,
    clock,
    timeoutMs,
  }: { readonly names: ServerNames; readonly clock: Clock; readonly timeoutMs: number },
): void {
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const plain = createServer((request, response) => respond(request, response, names));
  server.on('connection', (socket: Socket) => {
    const abort = clock.after(timeoutMs, () => socket.destroy());
    socket.once('close', abort);
    // Until a protocol is chosen, there is no other error listener.
    socket.on('error', ignore);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      socket.off('error', ignore);
      if (first[0] === handshake) {
        abort();
        for (const listener of begin) listener.call(server, socket);
      } else {
        plain.emit('connection', socket);
        socket.resume();
      }
    });
  });
}

const ignore = (): void => {};

function respond(
  { headers, url = '/' }: IncomingMessage,
  response: ServerResponse,
  names: ServerNames,
): void {
  const { host = '' } = headers;
  const isServerUrl = isServerHost(host, names) && url.startsWith('/');
  response.writeHead(isServerUrl ? 308 : 400, {
    ...responseHeaders,
    'cache-control': 'no-store',
    'content-length': 0,
    connection: 'close',
    ...(isServerUrl ? { location: `https://${host}${url}` } : {}),
  });
  response.end();
}
