import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { gzipSync } from 'node:zlib';
import { wait } from '../../base/wait.ts';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { readOtelEndpoint } from '../../model/workflow-rules.ts';
import type { Clock } from '../../base/clock.ts';
import type { OtelSettings } from './trace.ts';

/** Endpoint for spans with its options. */
export interface Destination {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: 'protobuf' | 'json';
  readonly gzip: boolean;
  /** Timeout of one delivery, including retries. */
  readonly timeoutMs: number;
  readonly tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

type Environment = Readonly<Record<string, string | undefined>>;

const workflowTimeoutMs = 30_000;
/** Default of the standard for exporters. */
const standardTimeoutMs = 10_000;

/** Settings with an invalid endpoint; the message names them. */
export class DestinationError extends Error {}

/**
 * Returns the workflow's endpoint, or, if it has none, the endpoint of the standard environment variables:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/. With an endpoint in the workflow, the variables are
 * ignored, because their headers may contain keys for another endpoint. Throws `DestinationError`.
 */
export function findDestination(settings: OtelSettings, environment: Environment): Destination {
  const { endpoint, insecure, headers, timeoutMs } = settings;
  if (endpoint === undefined) return fromEnvironment(settings, environment);
  const variable = readOtelEndpoint(endpoint, insecure);
  if ('fault' in variable) throw new DestinationError(`Invalid otel.endpoint: ${variable.fault}`);
  return {
    url: parseUrl(variable.url, 'otel.endpoint'),
    headers,
    format: 'protobuf',
    gzip: false,
    timeoutMs: timeoutMs ?? workflowTimeoutMs,
    tls: {},
  };
}

function fromEnvironment({ headers, timeoutMs }: OtelSettings, environment: Environment): Destination {
  const find = (suffix: string) => findVariable(environment, suffix);
  const timeout = find('TIMEOUT');
  return {
    url: readUrl(environment),
    headers: { ...readHeaders(environment), ...headers },
    format: readFormat(find('PROTOCOL')),
    gzip: find('COMPRESSION')?.value === 'gzip',
    timeoutMs: timeoutMs ?? (timeout === undefined ? standardTimeoutMs : readMilliseconds(timeout)),
    tls: {
      ca: readPem(find('CERTIFICATE')),
      cert: readPem(find('CLIENT_CERTIFICATE')),
      key: readPem(find('CLIENT_KEY')),
    },
  };
}

/** An environment variable that is not empty. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/** Returns the variable for traces, or the general one. */
function findVariable(environment: Environment, suffix: string): Variable | undefined {
  for (const name of [`OTEL_EXPORTER_OTLP_TRACES_${suffix}`, `OTEL_EXPORTER_OTLP_${suffix}`]) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

/** Returns the endpoint: the one for traces unchanged, the general one with the path of traces. */
function readUrl(environment: Environment): URL {
  const variable = findVariable(environment, 'ENDPOINT');
  if (variable === undefined) return new URL('http://localhost:4318/v1/traces');
  const url = parseUrl(variable.value, variable.name);
  if (!variable.name.includes('TRACES')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

function parseUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new DestinationError(`${name} is not a URL such as http://localhost:4318`);
}

/** Merges both variables; the one for traces wins. */
function readHeaders(environment: Environment): Record<string, string> {
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
  return Object.assign({}, ...names.map((name) => parseKeyPairsIntoRecord(environment[name])));
}

function readFormat(variable: Variable | undefined): Destination['format'] {
  if (variable === undefined || variable.value === 'http/protobuf') return 'protobuf';
  if (variable.value === 'http/json') return 'json';
  throw new DestinationError(
    `${variable.name} is ${JSON.stringify(variable.value.slice(0, 40))}, but traces are sent over HTTP: use http/protobuf or http/json and the matching endpoint (usually port 4318)`,
  );
}

function readMilliseconds({ name, value }: Variable): number {
  if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
  throw new DestinationError(`${name} is not a number of milliseconds`);
}

function readPem(variable: Variable | undefined): Buffer | undefined {
  if (variable === undefined) return undefined;
  try {
    return readFileSync(variable.value);
  } catch (error) {
    throw new DestinationError(`cannot read the file of ${variable.name}: ${(error as Error).message}`);
  }
}

/** Retryable response statuses (OTLP, Failures). */
const retryableStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const firstPauseMs = 1000;
const maxPauseMs = 5000;
/** Maximum size of a response to read, in bytes. */
const maxResponseLength = 64 * 1024;

const late = 'timed out';

/** Outcome of one attempt. */
type Outcome =
  | { readonly answer: Buffer }
  | { readonly error: string; readonly again: boolean; readonly waitMs?: number | undefined };

/** Posts bodies one after the other, with retries. */
export class Delivery {
  readonly #destination: Destination;
  readonly #clock: Clock;
  readonly #agent: http.Agent;
  readonly #cutting = new AbortController();
  readonly #hurrying = new AbortController();

  constructor(destination: Destination, clock: Clock) {
    this.#destination = destination;
    this.#clock = clock;
    const { url, tls } = destination;
    this.#agent =
      url.protocol === 'https:'
        ? new https.Agent({ keepAlive: true, ...tls })
        : new http.Agent({ keepAlive: true });
  }

  /** Returns the receiver's response. Rejects with a description of the error. */
  async send(body: Uint8Array): Promise<Buffer> {
    const clock = this.#clock;
    const { timeoutMs, gzip } = this.#destination;
    const deadline = clock.monotonic() + timeoutMs;
    const payload = gzip ? gzipSync(body) : body;
    let pauseMs = firstPauseMs;
    for (;;) {
      const isLast = this.#hurrying.signal.aborted;
      const outcome = await this.#try(payload, deadline - clock.monotonic());
      if ('answer' in outcome) return outcome.answer;
      const waitMs = outcome.waitMs ?? pauseMs * (0.8 + Math.random() * 0.4);
      const mustGiveUp = !outcome.again || isLast || this.#cutting.signal.aborted;
      if (mustGiveUp || clock.monotonic() + waitMs >= deadline) throw new Error(outcome.error);
      await wait(this.#clock, waitMs, this.#hurrying.signal);
      pauseMs = Math.min(maxPauseMs, pauseMs * 1.5);
    }
  }

  /** Disables retries; a pending retry runs immediately. */
  hurry(): void {
    this.#hurrying.abort();
  }

  /** Aborts the current request and closes the connections. */
  close(): void {
    this.#hurrying.abort();
    this.#cutting.abort();
    this.#agent.destroy();
  }

  #try(body: Uint8Array, timeoutMs: number): Promise<Outcome> {
    const { url, headers, format, gzip } = this.#destination;
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        dispose();
        resolve(outcome);
      };
      const timing = new AbortController();
      const dispose = this.#clock.after(timeoutMs, () => {
        end({ error: late, again: false });
        timing.abort();
      });
      const signal = AbortSignal.any([this.#cutting.signal, timing.signal]);
      const options = {
        method: 'POST',
        agent: this.#agent,
        signal,
        headers: {
          'user-agent': 'stepwright',
          ...headers,
          ...(gzip ? { 'content-encoding': 'gzip' } : {}),
          'content-type': format === 'json' ? 'application/json' : 'application/x-protobuf',
          'content-length': body.byteLength,
        },
      };
      try {
        request(url, options, (response) => void readAnswer(response).then(end))
          .on('error', (error: NodeJS.ErrnoException) =>
            end({ error: this.#cutting.signal.aborted ? late : formatError(error), again: true }),
          )
          .end(body);
      } catch (error) {
        // The header is invalid in HTTP.
        end({ error: (error as Error).message, again: false });
      }
    });
  }
}

async function readAnswer(response: http.IncomingMessage): Promise<Outcome> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxResponseLength) break;
    }
  } catch {
    // The status has been received and is sufficient.
  }
  const { statusCode = 0, statusMessage = '' } = response;
  if (statusCode >= 200 && statusCode < 300) return { answer: Buffer.concat(chunks) };
  const seconds = Number(response.headers['retry-after']);
  return {
    error: `responded with ${statusCode} ${statusMessage}`.trim(),
    again: retryableStatuses.has(statusCode),
    waitMs: seconds > 0 ? seconds * 1000 : undefined,
  };
}

/** Describes an error; for several tried addresses, the first error represents all. */
function formatError(error: NodeJS.ErrnoException): string {
  const [first] = error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error];
  const { code, message } = first ?? error;
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND') return 'host name not found';
  return message === '' ? (code ?? 'connection failed') : message;
}
