import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerOptions } from '../../../core/http/server.ts';
import { TestEngine } from '../../rig/test-engine.ts';
import { whenOver } from '../../rig/when-over.ts';
import { serve } from './serve.ts';

/** What came back. */
export interface Answer {
  readonly status: number;
  /** Parsed JSON; empty for a reply without a body. */
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** A real engine behind a real server. */
export interface ApiHouse {
  readonly engine: TestEngine;
  /** Absolute path of a workflow file. */
  fileOf(name: string): string;
  write(name: string, text: string): void;
  get(path: string): Promise<Answer>;
  /** Sends a body as JSON, to a path below `/api/v2` or, when it begins so, below `/api`. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
}

export async function openApiHouse(options: Partial<ServerOptions> = {}): Promise<ApiHouse> {
  const engine = new TestEngine();
  const served = await serve({ api: engine.host.api, ...options });
  whenOver(() => served[Symbol.asyncDispose]());
  const fileOf = (name: string): string => path.join(engine.home, 'dags', `${name}.yaml`);
  const send = async (method: string, address: string, body?: unknown): Promise<Answer> => {
    const given =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const url = address.startsWith('/api/') ? address : `/api/v2${address}`;
    const reply = await served.fetch(url, { method, ...given });
    const text = await reply.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: reply.status, body: parsed, headers: reply.headers };
  };
  return {
    engine,
    fileOf,
    write: (name, text) => writeFileSync(fileOf(name), text),
    get: (address) => send('GET', address),
    send,
  };
}
