import { readFileSync } from 'node:fs';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { readOtelEndpoint } from '../../model/workflow-rules.ts';
import type { OtelSettings } from './settings.ts';

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
