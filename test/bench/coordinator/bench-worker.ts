import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { CoordinatorTls } from '../../../core/distributed/coordinator/coordinator-tls.ts';
import {
  protocolRoot,
  type ClaimResponse,
  type JoinResponse,
  type CompleteResponse,
} from '../../../core/distributed/protocol.ts';
import { TestAuthority } from '../../harness/servers/certificates.ts';

/** Certificates of a coordinator, and the issuer of worker certificates. */
export interface BenchCertificates {
  readonly tls: CoordinatorTls;
  readonly authority: TestAuthority;
}

export function makeCertificates(folder: string): BenchCertificates {
  const authority = new TestAuthority();
  const { cert, key } = authority.issue({ name: 'coordinator' });
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const tls = {
    certFile: write('server.crt', cert),
    keyFile: write('server.key', key),
    clientCaFile: write('ca.crt', authority.cert),
  };
  return { tls, authority };
}

type Tasks = ClaimResponse['tasks'];

/** A minimal worker: it runs nothing. */
export class BenchWorker {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #headers: Record<string, string>;
  readonly #finishing = new Set<Promise<void>>();

  private constructor(url: string, agent: Agent, headers: Record<string, string>) {
    this.#url = new URL(url);
    this.#agent = agent;
    this.#headers = headers;
  }

  static async join(
    url: string,
    { authority }: BenchCertificates,
    id: string,
    pool: string,
  ): Promise<BenchWorker> {
    const { cert, key } = authority.issue({ name: id });
    const agent = new Agent({ keepAlive: true, ca: authority.cert, cert, key });
    const worker = new BenchWorker(url, agent, { 'x-worker-id': id });
    const { epoch } = await worker.#post<JoinResponse>('/join', {
      protocol: 1,
      id,
      labels: { pool },
      slots: 1000,
      version: 'bench',
      host: 'bench',
      pid: process.pid,
      keeps: [],
    });
    worker.#headers['x-worker-epoch'] = String(epoch);
    return worker;
  }

  async claim(free: number, waitMs: number): Promise<Tasks> {
    return (await this.#post<ClaimResponse>('/claim', { free, waitMs })).tasks;
  }

  /** Confirms and completes tasks in parallel with those in progress. */
  finish(tasks: Tasks): Promise<void> {
    if (tasks.length === 0) return Promise.resolve();
    const finishing = this.#finish(tasks).finally(() => this.#finishing.delete(finishing));
    this.#finishing.add(finishing);
    return finishing;
  }

  /** Waits until no more than this many batches are being completed. */
  async atMost(count: number): Promise<void> {
    while (this.#finishing.size > count) await Promise.race(this.#finishing);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#finishing);
  }

  async beat(): Promise<void> {
    await this.#post('/beat', { running: [] });
  }

  close(): void {
    this.#agent.destroy();
  }

  async #finish(tasks: Tasks): Promise<void> {
    const holds = tasks.map(({ key, fence }) => ({ key, fence }));
    await this.#post('/begin', { holds });
    const results = holds.map((hold) => ({ ...hold, result: '{"exitCode":0}' }));
    const { outcomes } = await this.#post<CompleteResponse>('/settle', { results });
    if (outcomes.some((outcome) => outcome !== 'settled')) throw new Error(`not settled: ${outcomes.join()}`);
  }

  #post<Answer>(route: string, body: object): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          path: protocolRoot + route,
          method: 'POST',
          agent: this.#agent,
          headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...this.#headers },
        },
        (incoming) => {
          json(incoming).then((answer) => {
            if (incoming.statusCode === 200) resolve(answer as Answer);
            else reject(new Error(JSON.stringify(answer)));
          }, reject);
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }
}
