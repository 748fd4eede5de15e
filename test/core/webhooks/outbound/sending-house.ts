import type { OperationInput, OperationName, OperationOutput } from '../../../../core/contract/operations.ts';
import { TestEngine, testCaller } from '../../../rig/test-engine.ts';

/** An engine that sends webhooks, with a clock that the test moves. */
export class SendingHouse {
  readonly engine: TestEngine;

  private constructor(engine: TestEngine) {
    this.engine = engine;
  }

  static async open(engine: TestEngine = new TestEngine()): Promise<SendingHouse> {
    await engine.host.sendWebhooks();
    return new SendingHouse(engine);
  }

  call<Name extends OperationName>(name: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>> {
    return this.engine.host.api.call(name, input, testCaller);
  }

  /** A webhook that may send to this machine. */
  create(wanted: Partial<OperationInput<'webhooks.create'>> & { readonly url: string }) {
    return this.call('webhooks.create', { ...wanted, options: { allowPrivate: true, ...wanted.options } });
  }

  /** Lets time pass until nothing waits that is due, and nothing is under way. */
  async untilQuiet(): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      this.engine.clock.advance(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
      quiet = (await this.#isQuiet()) ? quiet + 1 : 0;
    }
  }

  async #isQuiet(): Promise<boolean> {
    const { messages: sending } = await this.call('webhooks.messages', { state: 'sending' });
    const { messages: waiting } = await this.call('webhooks.messages', { state: 'waiting' });
    const now = this.engine.clock.now();
    return sending.length === 0 && waiting.every(({ dueAt }) => Date.parse(dueAt) > now);
  }
}
