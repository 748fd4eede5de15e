import { createReadStream } from 'node:fs';
import { json } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { LogStream } from '../../run/remote/task-files.ts';
import type { TaskLease } from '../../store/types/dispatch.ts';
import {
  epochHeader,
  protocolRoot,
  workerHeader,
  type HeartbeatMessage,
  type HeartbeatResponse,
  type BeginResponse,
  type ClaimResponse,
  type ClaimMessage,
  type JoinResponse,
  type JoinRequest,
  type CompleteResponse,
  type CompleteMessage,
  type SizeResponse,
} from '../protocol.ts';
import {
  CoordinatorError,
  type Coordinators,
  UnreachableError,
  type CoordinatorRequest,
} from './coordinators.ts';

/** Identity of a worker: id, epoch and credential. */
export interface Session {
  readonly id: string;
  readonly epoch: number;
  /** The worker key; absent for a worker with a certificate. */
  readonly key?: string | undefined;
}

/** Response timeout, in milliseconds. */
const responseTimeoutMs = 10_000;
const fileTimeoutMs = 120_000;
/** Additional time for a claim beyond its waiting time. */
const claimSlackMs = 5000;

/** Client of the coordinator protocol (protocol.ts). Each call is tried once. */
export class WorkerApi {
  readonly #coordinators: Coordinators;
  /** Set after joining. */
  session: Session | undefined;

  constructor(coordinators: Coordinators) {
    this.#coordinators = coordinators;
  }

  /** @param credential join token or worker key; absent with a certificate */
  join(request: JoinRequest, credential: string | undefined): Promise<JoinResponse> {
    return this.#post('/join', request, { headers: bearer(credential) }, 'anonymous');
  }

  claim(message: ClaimMessage, signal: AbortSignal): Promise<ClaimResponse> {
    return this.#post('/claim', message, { timeoutMs: message.waitMs + claimSlackMs, signal });
  }

  begin(leases: readonly TaskLease[]): Promise<BeginResponse> {
    return this.#post('/begin', { holds: leases });
  }

  heartbeat(message: HeartbeatMessage, timeoutMs: number, signal: AbortSignal): Promise<HeartbeatResponse> {
    return this.#post('/beat', message, { timeoutMs, signal });
  }

  settle(message: CompleteMessage): Promise<CompleteResponse> {
    return this.#post('/settle', message);
  }

  async leave(): Promise<void> {
    (await this.#ask('POST', '/leave', { body: toBytes({}) })).resume();
  }

  /**
   * Sends a log part and returns the log's new size, which is smaller than expected if there is a gap before the part.
   */
  async putLog(lease: TaskLease, stream: LogStream, offset: number, bytes: Uint8Array): Promise<number> {
    try {
      const path = `${taskPath(lease)}/logs/${stream}?offset=${offset}`;
      const response = await this.#ask('PUT', path, { body: bytes, ...bulkOptions });
      return ((await readJson(response)) as SizeResponse).size;
    } catch (error) {
      const size =
        error instanceof CoordinatorError && error.status === 409 ? readSize(error.body) : undefined;
      if (size === undefined) throw error;
      return size;
    }
  }

  /** @param file absolute */
  async putArtifact(lease: TaskLease, name: string, file: string, bytes: number): Promise<void> {
    const body = bytes === 0 ? new Uint8Array() : createReadStream(file, { end: bytes - 1 });
    const response = await this.#ask('PUT', artifactPath(lease, name), {
      body,
      ...bulkOptions,
      headers: { 'content-length': String(bytes) },
    });
    response.resume();
  }

  getArtifact(lease: TaskLease, name: string): Promise<Readable> {
    return this.#ask('GET', artifactPath(lease, name), bulkOptions);
  }

  async #post<Result>(
    path: string,
    message: object,
    overrides: Partial<CoordinatorRequest> = {},
    sender: 'worker' | 'anonymous' = 'worker',
  ): Promise<Result> {
    const response = await this.#ask('POST', path, { body: toBytes(message), ...overrides }, sender);
    return (await readJson(response)) as Result;
  }

  #ask(
    method: CoordinatorRequest['method'],
    path: string,
    overrides: Partial<CoordinatorRequest>,
    sender: 'worker' | 'anonymous' = 'worker',
  ): ReturnType<Coordinators['ask']> {
    const headers: Record<string, string> = {};
    if (method !== 'GET')
      headers['content-type'] = method === 'POST' ? 'application/json' : 'application/octet-stream';
    if (overrides.body instanceof Uint8Array) headers['content-length'] = String(overrides.body.length);
    const { session } = this;
    if (session !== undefined && sender === 'worker') {
      Object.assign(headers, bearer(session.key));
      headers[workerHeader] = session.id;
      headers[epochHeader] = String(session.epoch);
    }
    Object.assign(headers, overrides.headers);
    return this.#coordinators.ask({
      timeoutMs: responseTimeoutMs,
      ...overrides,
      method,
      path: protocolRoot + path,
      headers,
    });
  }
}

const bulkOptions = { isBulk: true, timeoutMs: fileTimeoutMs } as const;

const bearer = (credential: string | undefined): Record<string, string> =>
  credential === undefined ? {} : { authorization: `Bearer ${credential}` };

const toBytes = (message: object): Uint8Array => Buffer.from(JSON.stringify(message));

const taskPath = ({ key, fence }: TaskLease): string => `/tasks/${encodeURIComponent(key)}/${fence}`;

const artifactPath = (lease: TaskLease, name: string): string =>
  `${taskPath(lease)}/artifacts/${name.split('/').map(encodeURIComponent).join('/')}`;

const readSize = (body: unknown): number | undefined => {
  const { size, details } = (body ?? {}) as { size?: unknown; details?: { size?: unknown } };
  const actual = size ?? details?.size;
  return typeof actual === 'number' ? actual : undefined;
};

async function readJson(response: Readable): Promise<unknown> {
  try {
    return await json(response);
  } catch (error) {
    throw new UnreachableError(
      `the coordinator closed the connection during the response (${(error as Error).message})`,
      {
        cause: error,
      },
    );
  }
}
