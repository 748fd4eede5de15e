import { readFileSync } from 'node:fs';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { readOtelEndpoint } from '../../model/workflow/otel-endpoint.ts';
import type { OtelSettings } from '../settings.ts';

/** Where spans are posted, and how. */
export interface Destination {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly format: 'protobuf' | 'json';
  readonly gzip: boolean;
  /** Longest time of one delivery, with everything that is tried again. */
  readonly timeoutMs: number;
  readonly tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
}

type Environment = Readonly<Record<string, string | undefined>>;

const timeoutOfWorkflow = 30_000;
/** What the standard gives an exporter. */
const timeoutOfStandard = 10_000;

/** Settings that name no place that can be used; the message says where they are. */
export class DestinationFault extends Error {}

/**
 * The workflow's own endpoint, or, when it names none, what the variables of the standard say:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/. The variables do not count beside an endpoint of the
 * workflow: their headers, which may be keys, are meant for another place. Throws `DestinationFault`.
 */
export function findDestination(settings: OtelSettings, environment: Environment): Destination {
  const { endpoint, insecure, headers, timeoutMs } = settings;
  if (endpoint === undefined) return fromEnvironment(settings, environment);
  const found = readOtelEndpoint(endpoint, insecure);
  if ('fault' in found) throw new DestinationFault(`Invalid otel.endpoint: ${found.fault}`);
  return {
    url: parseUrl(found.url, 'otel.endpoint'),
    headers,
    format: 'protobuf',
    gzip: false,
    timeoutMs: timeoutMs ?? timeoutOfWorkflow,
    tls: {},
  };
}

function fromEnvironment({ headers, timeoutMs }: OtelSettings, environment: Environment): Destination {
  const look = (what: string) => findVariable(environment, what);
  const timeout = look('TIMEOUT');
  return {
    url: readUrl(environment),
    headers: { ...readHeaders(environment), ...headers },
    format: readFormat(look('PROTOCOL')),
    gzip: look('COMPRESSION')?.value === 'gzip',
    timeoutMs: timeoutMs ?? (timeout === undefined ? timeoutOfStandard : readMilliseconds(timeout)),
    tls: {
      ca: readPem(look('CERTIFICATE')),
      cert: readPem(look('CLIENT_CERTIFICATE')),
      key: readPem(look('CLIENT_KEY')),
    },
  };
}

/** A variable that is set to more than nothing. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/** The variable for traces, or the one for everything. */
function findVariable(environment: Environment, what: string): Variable | undefined {
  for (const name of [`OTEL_EXPORTER_OTLP_TRACES_${what}`, `OTEL_EXPORTER_OTLP_${what}`]) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

/** The address for traces is taken as it is; the one for everything gets the path of traces. */
function readUrl(environment: Environment): URL {
  const found = findVariable(environment, 'ENDPOINT');
  if (found === undefined) return new URL('http://localhost:4318/v1/traces');
  const url = parseUrl(found.value, found.name);
  if (!found.name.includes('TRACES')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

function parseUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new DestinationFault(`${name} is not a URL such as http://localhost:4318`);
}

/** Both variables together; that for traces counts where they differ. */
function readHeaders(environment: Environment): Record<string, string> {
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
  return Object.assign({}, ...names.map((name) => parseKeyPairsIntoRecord(environment[name])));
}

function readFormat(found: Variable | undefined): Destination['format'] {
  if (found === undefined || found.value === 'http/protobuf') return 'protobuf';
  if (found.value === 'http/json') return 'json';
  throw new DestinationFault(
    `${found.name} is ${JSON.stringify(found.value.slice(0, 40))}, but traces are sent over HTTP: use http/protobuf or http/json and the matching endpoint (usually port 4318)`,
  );
}

function readMilliseconds({ name, value }: Variable): number {
  if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
  throw new DestinationFault(`${name} is not a number of milliseconds`);
}

function readPem(found: Variable | undefined): Buffer | undefined {
  if (found === undefined) return undefined;
  try {
    return readFileSync(found.value);
  } catch (thrown) {
    throw new DestinationFault(`cannot read the file of ${found.name}: ${(thrown as Error).message}`);
  }
}
