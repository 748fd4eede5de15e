import { createReadStream } from 'node:fs';
import { json } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { LogStream } from '../../files-port.ts';
import type { TaskLease } from '../../ports.ts';
import {
  epochHeader,
  protocolRoot,
  workerHeader,
  type HeartbeatMessage,
  type HeartbeatResponse,
  type BeginAnswer,
  type ClaimAnswer,
  type ClaimMessage,
  type JoinAnswer,
  type JoinRequest,
  type CompleteReply,
  type CompleteMessage,
  type SizeAnswer,
} from '../../protocol.ts';
import { Refused, type Coordinators } from './coordinators.ts';
import { Unreachable, type Exchange } from './exchange.ts';

/** Identity of a worker: id, epoch and credential. */
export interface Session {
  readonly id: string;
  readonly epoch: number;
  /** The worker key; absent for a worker with a certificate. */
  readonly key?: string | undefined;
}

/** Response timeout, in milliseconds. */
const answerMs = 10_000;
const fileMs = 120_000;
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
  join(request: JoinRequest, proof: string | undefined): Promise<JoinAnswer> {
    return this.#post('/join', request, { headers: bearer(proof) }, 'nobody');
  }

  claim(message: ClaimMessage, signal: AbortSignal): Promise<ClaimAnswer> {
    return this.#post('/claim', message, { timeoutMs: message.waitMs + claimSlackMs, signal });
  }

  begin(holds: readonly TaskLease[]): Promise<BeginAnswer> {
    return this.#post('/begin', { holds });
  }

  beat(message: HeartbeatMessage, timeoutMs: number, signal: AbortSignal): Promise<HeartbeatResponse> {
    return this.#post('/beat', message, { timeoutMs, signal });
  }

  settle(message: CompleteMessage): Promise<CompleteReply> {
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
      const answer = await this.#ask('PUT', path, { body: bytes, ...bulk });
      return ((await readJson(answer)) as SizeAnswer).size;
    } catch (error) {
      const size = error instanceof Refused && error.status === 409 ? readSize(error.body) : undefined;
      if (size === undefined) throw error;
      return size;
    }
  }

  /** @param file absolute */
  async putArtifact(lease: TaskLease, name: string, file: string, bytes: number): Promise<void> {
    const body = bytes === 0 ? new Uint8Array() : createReadStream(file, { end: bytes - 1 });
    const answer = await this.#ask('PUT', artifactPath(lease, name), {
      body,
      ...bulk,
      headers: { 'content-length': String(bytes) },
    });
    answer.resume();
  }

  getArtifact(lease: TaskLease, name: string): Promise<Readable> {
    return this.#ask('GET', artifactPath(lease, name), bulk);
  }

  async #post<Answer>(
    path: string,
    message: object,
    more: Partial<Exchange> = {},
    speaker: 'worker' | 'nobody' = 'worker',
  ): Promise<Answer> {
    const answer = await this.#ask('POST', path, { body: toBytes(message), ...more }, speaker);
    return (await readJson(answer)) as Answer;
  }

  #ask(
    method: Exchange['method'],
    path: string,
    more: Partial<Exchange>,
    speaker: 'worker' | 'nobody' = 'worker',
  ): ReturnType<Coordinators['ask']> {
    const headers: Record<string, string> = {};
    if (method !== 'GET')
      headers['content-type'] = method === 'POST' ? 'application/json' : 'application/octet-stream';
    if (more.body instanceof Uint8Array) headers['content-length'] = String(more.body.length);
    const { session } = this;
    if (session !== undefined && speaker === 'worker') {
      Object.assign(headers, bearer(session.key));
      headers[workerHeader] = session.id;
      headers[epochHeader] = String(session.epoch);
    }
    Object.assign(headers, more.headers);
    return this.#coordinators.ask({
      timeoutMs: answerMs,
      ...more,
      method,
      path: protocolRoot + path,
      headers,
    });
  }
}

const bulk = { isBulk: true, timeoutMs: fileMs } as const;

const bearer = (proof: string | undefined): Record<string, string> =>
  proof === undefined ? {} : { authorization: `Bearer ${proof}` };

const toBytes = (message: object): Uint8Array => Buffer.from(JSON.stringify(message));

const taskPath = ({ key, fence }: TaskLease): string => `/tasks/${encodeURIComponent(key)}/${fence}`;

const artifactPath = (lease: TaskLease, name: string): string =>
  `${taskPath(lease)}/artifacts/${name.split('/').map(encodeURIComponent).join('/')}`;

const readSize = (body: unknown): number | undefined => {
  const { size, details } = (body ?? {}) as { size?: unknown; details?: { size?: unknown } };
  const told = size ?? details?.size;
  return typeof told === 'number' ? told : undefined;
};

async function readJson(answer: Readable): Promise<unknown> {
  try {
    return await json(answer);
  } catch (error) {
    throw new Unreachable(
      `the coordinator closed the connection during the response (${(error as Error).message})`,
      {
        cause: error,
      },
    );
  }
}
