import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReceivedDeliveryView, ReceiverView } from '../../../core/contract/receivers.ts';
import type { JsonObject } from '../../../core/base/json.ts';
import type { RunRef } from '../../../core/model/run.ts';
import {
  deliveryHeaders,
  encodeBody,
  type BodyFormat,
} from '../../../core/webhooks/outbound/build-request.ts';
import { TestEngine } from '../../rig/test-engine.ts';
import { onTestCleanup } from '../../rig/on-test-cleanup.ts';
import { serve } from './api-harness.ts';

export const secret = "It's a Secret to Everybody";

/** Response of a receiver. */
export interface ReceiverReply {
  readonly status: number;
  readonly body: {
    readonly id?: string;
    readonly duplicateOf?: string;
    readonly runs?: readonly RunRef[];
    readonly code?: string;
    readonly message?: string;
  };
}

/** A delivery as our own sender makes it. */
export interface SentDelivery {
  readonly event?: string;
  readonly guid?: string;
  readonly hookId?: number;
  readonly format?: BodyFormat;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
}

/** A real engine with a real server in front of it, and senders. */
export async function openReceiverHarness(engine = new TestEngine()) {
  const { inbound, api } = engine.host;
  const served = await serve({ api, inbound, clock: engine.clock });
  onTestCleanup(() => served[Symbol.asyncDispose]());
  const caller = { via: 'cli', name: 'the test' } as const;
  let guids = 0;
  const post = async (
    address: string,
    body: Uint8Array | string,
    headers: Record<string, string>,
  ): Promise<ReceiverReply> => {
    const reply = await served.fetch(address, { method: 'POST', headers, body: body as BodyInit });
    return { status: reply.status, body: (await reply.json()) as ReceiverReply['body'] };
  };
  const list = async (receiver: ReceiverView): Promise<ReceivedDeliveryView[]> =>
    (await api.call('receivers.deliveries', { receiverId: receiver.id, limit: 1000 }, caller)).deliveries;
  return {
    engine,
    served,
    api,
    caller,
    post,
    write: (name: string, text: string) =>
      writeFileSync(path.join(engine.home, 'dags', `${name}.yaml`), text),
    create: (settings: Partial<Parameters<typeof createInput>[0]> = {}): Promise<ReceiverView> =>
      api.call('receivers.create', createInput(settings), caller),
    /** Sends a payload with the headers of a delivery. */
    async send(receiver: ReceiverView, payload: JsonObject, sent: SentDelivery = {}): Promise<ReceiverReply> {
      const { event = 'push', hookId = 7, format = 'json' } = sent;
      const body = encodeBody(JSON.stringify(payload), format);
      guids += 1;
      const facts = {
        hookId,
        event,
        guid: sent.guid ?? `guid-${guids}`,
        targetType: 'repository',
        targetId: 1,
        secret: sent.secret ?? secret,
      };
      const { 'Content-Length': _, ...headers } = deliveryHeaders(facts, body);
      return post(receiver.path, body.bytes, { ...headers, ...sent.headers });
    },
    deliveries: list,
    readJson: (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')),
    /** Waits until all starts that are due have happened. */
    async settled(receiver: ReceiverView): Promise<void> {
      const isOpen = ({ decisions }: ReceivedDeliveryView): boolean =>
        decisions.some(({ outcome, dueAt }) => outcome === 'pending' && dueAt === undefined);
      while ((await list(receiver)).some(isOpen)) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

interface CreateSettings {
  readonly name: string;
  readonly scheme: 'platform' | 'standard' | 'bearer';
  readonly secrets: string[];
  readonly allowSha1: boolean;
  readonly maxBodyBytes: number;
  readonly dedupeSec: number;
  readonly keepDays: number;
  readonly active: boolean;
}

const createInput = (settings: Partial<CreateSettings>) => ({
  name: 'github',
  scheme: 'platform' as const,
  secrets: [secret],
  ...settings,
});
