import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestCleanup } from '../../../rig/on-test-cleanup.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../rig/test-engine.ts';

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
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestCleanup(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const receiver = new WebhookTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
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

  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>> {
    return this.engine.host.api.call(name, input, testCaller);
  }

  /** A webhook that can send to this machine. */
  create(webhookInput: Partial<OperationInput<'webhooks.create'>> & { readonly url: string }) {
    return this.call('webhooks.create', {
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
    const { messages: sending } = await this.call('webhooks.messages', { state: 'sending' });
    const { messages: waiting } = await this.call('webhooks.messages', { state: 'waiting' });
    const now = this.engine.clock.now();
    return sending.length === 0 && waiting.every(({ dueAt }) => Date.parse(dueAt) > now);
  }
}
