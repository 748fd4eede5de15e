import type { Clock } from '../../base/clock.ts';
import { getErrorMessage } from '../../base/errors.ts';
import { failPoint } from '../../base/fail-point.ts';
import type { Logger } from '../../base/logger.ts';
import type {
  Channel,
  HeldMessage,
  NotificationDecision,
  NotificationRule,
  NotificationStore,
  StoredNotificationEvent,
} from '../../store/types/notifications.ts';
import type { NewEvent } from '../../store/types/webhooks.ts';
import { composeDigest, composeNotification, toStoredEvent, type NotificationContent } from './message.ts';
import {
  findDueTime,
  selectTargets,
  type NotificationTarget,
  type WorkflowProfile,
  findProfile,
  type ProfileSources,
} from './select-targets.ts';

/** Dependencies of the decider. */
export interface DeciderOptions extends ProfileSources {
  readonly store: NotificationStore;
  /** Changes with every commit. */
  readonly commitRevision: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `server.publicUrl`, for links. */
  readonly publicUrl: string | undefined;
}

/** Events per transaction. */
const portion = 100;

/**
 * Decides which channels receive the stored events, and when. A decision and its messages are stored together, so
 * that each event is decided once, by whatever host.
 */
export class NotificationDecider {
  readonly #options: DeciderOptions;
  #working: Promise<void> | undefined;
  /** There is nothing to do before a change of the store, or this time (epoch milliseconds). */
  #idle: { readonly revision: string; readonly nextAt: number | undefined } | undefined;

  constructor(options: DeciderOptions) {
    this.#options = options;
  }

  /**
   * Decides on new events, and sends held messages that are due. Never rejects.
   * @param onStored called when there are messages to send
   */
  work(onStored: () => void): Promise<void> {
    return (this.#working ??= this.#work(onStored).finally(() => (this.#working = undefined)));
  }

  async #work(onStored: () => void): Promise<void> {
    try {
      if (!(await this.#hasWork())) return;
      await this.#decideAll();
      await this.#releaseDue();
      onStored();
    } catch (error) {
      const { logger } = this.#options;
      logger.error('Cannot decide on notifications, retrying', { message: getErrorMessage(error) });
    }
  }

  async #hasWork(): Promise<boolean> {
    const { store, clock, commitRevision } = this.#options;
    const revision = commitRevision();
    if (this.#idle?.revision !== revision) this.#idle = { revision, nextAt: await store.findNextWork() };
    return (this.#idle.nextAt ?? Infinity) <= clock.now();
  }

  async #decideAll(): Promise<void> {
    const { store, clock } = this.#options;
    const events = await store.listNewEvents(portion);
    if (events.length === 0) return;
    const workflows = await Promise.all(events.map((event) => findProfile(event, this.#options)));
    const listed = await store.listChannels();
    const channels = new Map(listed.map((channel) => [channel.owner, channel]));
    const rules = await store.listRules();
    const now = clock.now();
    const collecting = new Map<string, number>();
    failPoint('notification.before_decide');
    const decisions: NotificationDecision[] = [];
    for (const [index, event] of events.entries()) {
      const context = { workflow: workflows[index]!, channels, rules, now, collecting };
      decisions.push(await this.#decide(event, context));
    }
    await store.decide(decisions, now);
    failPoint('notification.decided');
  }

  async #decide(
    event: StoredNotificationEvent,
    { workflow, channels, rules, now, collecting }: DecisionContext,
  ): Promise<NotificationDecision> {
    const send: NewEvent[] = [];
    const hold: HeldMessage[] = [];
    for (const target of selectTargets(event, workflow, rules)) {
      const channel = this.#findChannel(channels, target);
      // What happened before the channel existed is not news for it.
      if (channel === undefined || !channel.active || channel.createdAt > event.at) continue;
      const { rule } = target;
      const { isPing } = workflow;
      const content = composeNotification(event, { rule, isPing, publicUrl: this.#options.publicUrl });
      const key = `${channel.id} ${target.rule}`;
      const dueAt = findDueTime(
        target,
        now,
        collecting.get(key) ?? (await this.#findHeldDue(target, channel)),
      );
      if (dueAt === undefined) send.push(toStoredEvent(content, channel.id));
      else {
        collecting.set(key, dueAt);
        hold.push({ hookId: channel.id, rule: target.rule, content: JSON.stringify(content), dueAt });
      }
    }
    return { eventId: event.id, send, hold };
  }

  async #findHeldDue({ digestSec, rule }: NotificationTarget, { id }: Channel): Promise<number | undefined> {
    return digestSec === undefined ? undefined : this.#options.store.findHeldDue(id, rule);
  }

  #findChannel(
    channels: ReadonlyMap<string, Channel>,
    { channel: name, rule }: NotificationTarget,
  ): Channel | undefined {
    const found = channels.get(name);
    if (found === undefined)
      this.#options.logger.warn(
        `Notification not sent: rule "${rule}" names the channel "${name}", which does not exist. Create it under Notifications, or change the rule.`,
      );
    return found;
  }

  async #releaseDue(): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    for (const { hookId, rule, ids, contents } of await store.listDue(now)) {
      const items = contents.map((text) => JSON.parse(text) as NotificationContent);
      await store.releaseHeld(ids, toStoredEvent(composeDigest(items, rule), hookId), now);
      failPoint('notification.released');
    }
  }
}

interface DecisionContext {
  readonly workflow: WorkflowProfile;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly rules: readonly NotificationRule[];
  readonly now: number;
  /** Due times of messages held by this transaction. */
  readonly collecting: Map<string, number>;
}
