import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ErrorBody } from '../../../core/base/errors.ts';
import { spawnEngine } from './engine-command.ts';
import type { Ground } from './place-case.ts';

/** A refusal of the API. */
export interface ApiRefusal {
  readonly httpStatus: number;
  readonly refusal: ErrorBody;
}

/** The API of a real `engine server` process on a free port. */
export class ApiServer {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(ground: Ground, given: Readonly<Record<string, string>>): Promise<ApiServer> {
    const child = spawnEngine(ground, ['server', '--port', '0'], given);
    child.stderr?.resume();
    for await (const line of createInterface({ input: child.stdout! })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url !== undefined) return new ApiServer(child, `${url}/api/v2`);
    }
    throw new Error(`engine server ended with exit code ${child.exitCode} before it was ready`);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  get<Reply>(path: string): Promise<Reply | ApiRefusal> {
    return this.#ask(path, {});
  }

  post<Reply>(path: string, body: object): Promise<Reply | ApiRefusal> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /**
   * Resolves when the run has ended, which its event stream tells.
   * @param after number of an event: only an end after it counts
   */
  async waitForEnd(
    run: { readonly name: string; readonly dagRunId: string },
    signal: AbortSignal,
    after = '0',
  ): Promise<void> {
    const query = new URLSearchParams({ ...run, after });
    const closing = new AbortController();
    const reply = await fetch(`${this.#url}/events?${query}`, {
      signal: AbortSignal.any([signal, closing.signal]),
    });
    let text = '';
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes('"type":"run.finished"')) break;
    }
    closing.abort();
  }

  async #ask<Reply>(path: string, request: RequestInit): Promise<Reply | ApiRefusal> {
    const reply = await fetch(`${this.#url}${path}`, request);
    const body: unknown = await reply.json();
    return reply.ok ? (body as Reply) : { httpStatus: reply.status, refusal: body as ErrorBody };
  }
}

export const isRefusal = (reply: object): reply is ApiRefusal => 'httpStatus' in reply;

/** The reply of a request that must not be refused. */
export function accepted<Reply extends object>(reply: Reply | ApiRefusal): Reply {
  if (!isRefusal(reply)) return reply;
  throw new Error(`the API refused: ${reply.httpStatus} ${JSON.stringify(reply.refusal)}`);
}
