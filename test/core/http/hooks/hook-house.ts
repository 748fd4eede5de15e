import { HookReceiver, SendingHouse } from '../../webhooks/outbound/sending-house.ts';
import type { ServerOptions } from '../../../../core/http/server.ts';
import { whenOver } from '../../../rig/when-over.ts';
import { serve } from '../api-house.ts';

/** What came back; `list` for an answer that is one. */
export interface HookAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

/** A sending engine behind a real server, and a receiver of what it sends. */
export async function openHookHouse(options: Partial<ServerOptions> = {}) {
  const house = await SendingHouse.open();
  const receiver = await HookReceiver.open();
  const served = await serve({ api: house.engine.host.api, ...options });
  whenOver(() => served[Symbol.asyncDispose]());
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<HookAnswer> => {
    const reply = await served.fetch(path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const parsed: unknown = text === '' ? {} : JSON.parse(text);
    return {
      status: reply.status,
      headers: reply.headers,
      body: Array.isArray(parsed) ? {} : (parsed as HookAnswer['body']),
      list: Array.isArray(parsed) ? (parsed as HookAnswer['list']) : [],
    };
  };
  const create = (path: string, wanted: Record<string, unknown> = {}): Promise<HookAnswer> =>
    send('POST', path, {
      config: { url: `${receiver.url}/${path.replaceAll('/', '_')}`, content_type: 'json' },
      options: { allowPrivate: true },
      ...wanted,
    });
  return { house, receiver, served, send, create };
}
