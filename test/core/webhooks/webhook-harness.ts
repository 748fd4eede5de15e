import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import { listenOnLoopback } from '../../harness/servers/ports.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OperationInput } from '../../../core/contract/operations.ts';
import type { ReceivedDeliveryView, ReceiverView } from '../../../core/contract/receivers.ts';
import type { JsonObject } from '../../../core/base/json.ts';
import type { RunRef } from '../../../core/model/run.ts';
import {
  deliveryHeaders,
  encodeBody,
  type BodyFormat,
} from '../../../core/webhooks/outbound/build-request.ts';
import type { NotificationServices } from '../../../core/webhooks/outbound/sender.ts';
import type { Store } from '../../../core/store/open-store.ts';
import { onTestCleanup } from '../../harness/resources.ts';
import { TestEngine } from '../../harness/engine.ts';
import { serve } from '../../harness/server.ts';

/** A received request. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine with configurable responses. */
export class WebhookTarget {
  readonly received: Received[] = [];
  readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  /** Starts listening. `answer` gets the requests so far, including this one. */
  static async open(
    answer: (response: ServerResponse, request: Received, count: number) => void = (response) =>
      void response.writeHead(204).end(),
  ): Promise<WebhookTarget> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => {});
      request.on('end', () => {
        const { url = '', headers } = request;
        const one = { path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
        receiver.received.push(one);
        answer(response, one, receiver.received.length);
      });
    });
    const port = await listenOnLoopback(server);
    onTestCleanup(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const receiver = new WebhookTarget(`http://127.0.0.1:${port}`);
    return receiver;
  }
}

/** Short, so that attempts in progress do not time out by the fake clock. */
const stepMs = 25;

/** An engine that sends webhooks, with a clock that the test controls. */
export class SendingHarness {
  readonly engine: TestEngine;

  private constructor(engine: TestEngine) {
    this.engine = engine;
  }

  static async open(engine: TestEngine = new TestEngine()): Promise<SendingHarness> {
    await engine.host.sendWebhooks();
    return new SendingHarness(engine);
  }

  /** A webhook that can send to this machine. */
  create(webhookInput: Partial<OperationInput<'webhooks.create'>> & { readonly url: string }) {
    return this.engine.call('webhooks.create', {
      ...webhookInput,
      options: { allowPrivate: true, ...webhookInput.options },
    });
  }

  /** Lets time pass until nothing is due and nothing is in progress. */
  async untilQuiet(): Promise<void> {
    // Longer than the sender's polling interval.
    for (let quiet = 0; quiet * stepMs < 600; quiet = (await this.#isQuiet()) ? quiet + 1 : 0)
      await this.#step();
  }

  /** Advances the clock, and waits until everything due then is sent. */
  async pass(milliseconds: number): Promise<void> {
    const { clock } = this.engine;
    clock.jumpTo(clock.now() + milliseconds);
    await this.untilQuiet();
  }

  /** Lets time pass at about its real pace. */
  async advance(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += stepMs) await this.#step();
  }

  /** Lets time pass until a condition holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#step();
  }

  async #step(): Promise<void> {
    this.engine.clock.advance(stepMs);
    await new Promise((resolve) => void setTimeout(resolve, 2));
  }

  async #isQuiet(): Promise<boolean> {
    const { messages: sending } = await this.engine.call('webhooks.messages', { state: 'sending' });
    const { messages: waiting } = await this.engine.call('webhooks.messages', { state: 'waiting' });
    const now = this.engine.clock.now();
    return sending.length === 0 && waiting.every(({ dueAt }) => Date.parse(dueAt) > now);
  }
}

/** For a sender without notification channels. */
export const noNotifications = (store: Store): NotificationServices => ({
  store: store.notifications,
  decider: { work: () => Promise.resolve() },
  sendMail: () => Promise.reject(new Error('There is no mail server.')),
  readSecret: () => Promise.reject(new Error('There are no secrets.')),
  showNotice: undefined,
});

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
  readonly scheme: ReceiverView['scheme'];
  readonly secrets: string[];
  readonly methods: ReceiverView['methods'];
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
