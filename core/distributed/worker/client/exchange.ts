import { request as requestPlain, Agent as PlainAgent, type IncomingMessage } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import type { TlsFiles } from './tls-files.ts';

/** A coordinator that did not respond or is unavailable; another one or a later retry may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** A request to a coordinator. */
export interface CoordinatorRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path from the root of the server, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | Readable | undefined;
  /** Response timeout, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** File transfers use separate connections, so that heartbeats do not wait for them. */
  readonly isBulk?: boolean;
}

/** Maximum number of connections for file transfers. */
const bulkConnections = 4;
/** Idle timeout of connections in milliseconds; shorter than that of servers. */
const idleMs = 4000;

/** Connections to one coordinator. */
export class Connections {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly #address: URL;
  readonly #clock: Clock;
  readonly #tls: TlsFiles;
  readonly #control: PlainAgent;
  readonly #bulk: PlainAgent;

  constructor(url: string, tls: TlsFiles, clock: Clock) {
    this.url = url.replace(/\/+$/, '');
    this.#address = new URL(this.url);
    this.#clock = clock;
    this.#tls = tls;
    const Agent = this.#isSecure ? SecureAgent : PlainAgent;
    this.#control = new Agent({ keepAlive: true, timeout: 0, keepAliveMsecs: idleMs });
    this.#bulk = new Agent({ keepAlive: true, maxSockets: bulkConnections, keepAliveMsecs: idleMs });
  }

  get #isSecure(): boolean {
    return this.#address.protocol === 'https:';
  }

  /**
   * Resolves when the response has started, with any status. Rejects with {@link UnreachableError}, or the signal's reason.
   */
  async send(coordinatorRequest: CoordinatorRequest): Promise<IncomingMessage> {
    try {
      return await this.#sendOnce(coordinatorRequest);
    } catch (error) {
      // Servers close idle connections, which does not mean that they are unreachable.
      if (!(error instanceof IdleConnectionError) || coordinatorRequest.body instanceof Readable) throw error;
      return this.#sendOnce(coordinatorRequest);
    }
  }

  #sendOnce({
    method,
    path,
    headers,
    body,
    timeoutMs,
    signal,
    isBulk,
  }: CoordinatorRequest): Promise<IncomingMessage> {
    const target = new URL(this.#address.pathname.replace(/\/$/, '') + path, this.#address);
    const options = {
      method,
      headers,
      agent: isBulk === true ? this.#bulk : this.#control,
      ...(signal && { signal }),
      ...(this.#isSecure && this.#tls.read()),
    };
    return new Promise((resolve, reject) => {
      const start = this.#isSecure ? requestSecure : requestPlain;
      const clientRequest = start(target, options, (response) => {
        stopWaiting();
        resolve(response);
      });
      const stopWaiting = this.#clock.after(timeoutMs, () =>
        clientRequest.destroy(new Error(`no response within ${timeoutMs / 1000} s`)),
      );
      clientRequest.on('error', (error) => {
        stopWaiting();
        if (signal?.aborted) return reject(signal.reason as Error);
        const message = `${this.url}: ${describe(error)}`;
        const Failure = clientRequest.reusedSocket && isReset(error) ? IdleConnectionError : UnreachableError;
        reject(new Failure(message, { cause: error }));
      });
      if (body === undefined || body instanceof Uint8Array) clientRequest.end(body);
      else body.on('error', (error) => clientRequest.destroy(error)).pipe(clientRequest);
    });
  }

  close(): void {
    this.#control.destroy();
    this.#bulk.destroy();
  }
}

/** A reused connection broke. */
class IdleConnectionError extends UnreachableError {}

const isReset = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Describes a connection error of Node for the operator. */
function describe({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host name not found';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection lost';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'no route to host';
  if (/^(DEPTH_ZERO_)?SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/.test(code))
    return `untrusted certificate (${code}); set its CA with --tls-ca`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate is for another host name (${message})`;
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired';
  if (/WRONG_VERSION_NUMBER|wrong version number/.test(`${code} ${message}`))
    return 'the server uses plain HTTP; use http://, or configure TLS on the coordinator';
  if (/ALERT.*(CERTIFICATE|UNKNOWN_CA)/.test(code))
    return `the coordinator rejects the certificate of this worker (${code}); check --tls-cert and --tls-key`;
  return message;
}
