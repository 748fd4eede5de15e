import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NotificationView } from '../../../../core/contract/notifications.ts';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { WebhookTarget } from '../webhook-harness.ts';

type NewRule = Partial<OperationInput<'rules.create'>>;

/** An engine that sends notifications, with a clock that the test controls, and a service on this machine. */
export class NotificationHarness {
  readonly engine: TestEngine;
  readonly service: WebhookTarget;

  private constructor(engine: TestEngine, service: WebhookTarget) {
    this.engine = engine;
    this.service = service;
  }

  static async open(
    answer?: Parameters<typeof WebhookTarget.open>[0],
    engine = new TestEngine(),
  ): Promise<NotificationHarness> {
    await engine.host.sendWebhooks();
    return new NotificationHarness(engine, await WebhookTarget.open(answer));
  }

  /** Creates a Slack channel that sends to the service. */
  createChannel(name = 'ops-slack', url = `${this.service.url}/services/T0/B0/XXXX`) {
    return this.engine.call('channels.create', { name, kind: 'slack', url, allowPrivate: true });
  }

  createRule(rule: NewRule = {}) {
    return this.engine.call('rules.create', { name: 'failures', channels: ['ops-slack'], ...rule });
  }

  writeWorkflow(name: string, text: string, folder = ''): void {
    writeFileSync(path.join(this.engine.home, 'dags', folder, `${name}.yaml`), text);
  }

  /** Runs a workflow that fails or succeeds. */
  async run(name: string, outcome: 'fails' | 'succeeds', more = '') {
    const spec = `name: ${name}\n${more}\nsteps:\n  - name: load\n    command: exit ${outcome === 'fails' ? 3 : 0}\n`;
    return this.engine.run(spec);
  }

  async list(): Promise<NotificationView[]> {
    return (await this.engine.call('notifications.list', {})).notifications;
  }

  /** Texts that the service has received, in their order. */
  get texts(): string[] {
    return this.service.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);
  }

  /** Lets time pass until nothing is to be decided or delivered now. */
  async untilQuiet(): Promise<void> {
    // Twice the sender's polling interval, because a decision takes some time too.
    for (let quiet = 0; quiet < 40; quiet = (await this.#isQuiet()) ? quiet + 1 : 0) await this.#step();
  }

  /** Lets time pass until a condition holds. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await this.#step();
  }

  async #step(): Promise<void> {
    this.engine.clock.advance(25);
    await new Promise((resolve) => void setTimeout(resolve, 2));
  }

  /** Advances the clock, and waits until everything due then is sent. */
  async pass(milliseconds: number): Promise<void> {
    const { clock } = this.engine;
    clock.jumpTo(clock.now() + milliseconds);
    await this.untilQuiet();
  }

  async #isQuiet(): Promise<boolean> {
    const now = this.engine.clock.now();
    return (await this.list()).every(
      ({ state, dueAt }) => state !== 'sending' && (dueAt === undefined || Date.parse(dueAt) > now),
    );
  }
}
