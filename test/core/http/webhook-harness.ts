import { WebhookTarget, SendingHarness } from '../webhooks/outbound/sending-harness.ts';
import type { ServerOptions } from '../../../core/http/server.ts';
import { onTestCleanup } from '../../rig/on-test-cleanup.ts';
import { serve } from './api-harness.ts';

/** The response; `list` if it is one. */
export interface WebhookAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
  readonly list: readonly Readonly<Record<string, unknown>>[];
}

/** A sending engine behind a real server, and a receiver of its deliveries. */
export async function openWebhookHarness(options: Partial<ServerOptions> = {}) {
  const harness = await SendingHarness.open();
  const receiver = await WebhookTarget.open();
  const served = await serve({ api: harness.engine.host.api, ...options });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<WebhookAnswer> => {
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
      body: Array.isArray(parsed) ? {} : (parsed as WebhookAnswer['body']),
      list: Array.isArray(parsed) ? (parsed as WebhookAnswer['list']) : [],
    };
  };
  const create = (path: string, overrides: Record<string, unknown> = {}): Promise<WebhookAnswer> =>
    send('POST', path, {
      config: { url: `${receiver.url}/${path.replaceAll('/', '_')}`, content_type: 'json' },
      options: { allowPrivate: true },
      ...overrides,
    });
  return { harness, receiver, served, send, create };
}
