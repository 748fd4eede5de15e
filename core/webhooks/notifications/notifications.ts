import { AppError, fieldError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { Turns } from '../../base/turns.ts';
import { findNearest } from '../../base/text.ts';
import { formatUnknown } from '../../home/library/check-references.ts';
import { parseQuietHours } from '../../model/notification.ts';
import type { SendHomeMail } from '../../run/home-mail.ts';
import type {
  Channel,
  NotificationMessage,
  NotificationRule,
  NotificationStore,
  RuleSettings,
} from '../../store/types/notifications.ts';
import type { WebhookSettings, WebhookStore } from '../../store/types/webhooks.ts';
import type { LazySecrets } from '../../store/secrets/lazy-secrets.ts';
import { Connections } from '../address-check.ts';
import { type ShowNotice, composeTest } from './message.ts';
import type { AttemptOutcome } from '../send-attempt.ts';
import { type ChannelFields, describeAddress, mergeSecrets, readChannelFields } from './check-channel.ts';
import { listRulesFor, findCurrentProfile, type ProfileSources } from './select-targets.ts';
import { readSecrets, sendNotification } from './send-notification.ts';

/** Settings of a new channel. */
export interface NewChannel extends ChannelFields {
  readonly name: string;
  /** Allows loopback and private network addresses. */
  readonly allowPrivate?: boolean | undefined;
  readonly verifyTls?: boolean | undefined;
}

/** Changes of a channel; absent fields stay unchanged, empty ones are removed. */
export interface ChannelChange extends Partial<Omit<NewChannel, 'kind'>> {
  readonly active?: boolean | undefined;
}

/** Dependencies of the management of notifications. */
export interface NotificationsOptions extends ProfileSources {
  readonly webhooks: WebhookStore;
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly sendMail: SendHomeMail;
  readonly secrets: Pick<LazySecrets, 'open' | 'read'>;
  readonly showNotice: ShowNotice | undefined;
  /** Called when there is something to send. */
  readonly wake: (hookId?: number) => void;
}

/** Who is notified of the failures of a workflow. */
export interface Coverage {
  readonly rules: { readonly name: string; readonly channels: string[] }[];
  /** The workflow file sends emails. */
  readonly mail: boolean;
}

/** Manages the notification channels and rules of a home. */
export class Notifications {
  readonly store: NotificationStore;
  readonly #options: NotificationsOptions;
  /** A change depends on the names of the channels, or on what it changes. */
  readonly #changes = new Turns();

  constructor(options: NotificationsOptions) {
    this.#options = options;
    this.store = options.store;
  }

  /** Rejects with `bad_request`, `already_exists`. */
  async createChannel({
    name,
    allowPrivate = false,
    verifyTls = true,
    ...fields
  }: NewChannel): Promise<Channel> {
    const { webhooks, clock, wake } = this.#options;
    await this.#checkSecrets(fields.secrets);
    const settings = toSettings(name, fields, { allowPrivate, verifyTls, active: true });
    const created = await webhooks.createWebhook(settings, clock.now());
    wake();
    return created as Channel;
  }

  /** Rejects with `not_found`. */
  async getChannel(id: number): Promise<Channel> {
    const found = await this.#options.webhooks.findWebhook(id);
    if (found?.channel !== undefined) return found as Channel;
    throw new AppError(
      'not_found',
      `Channel ${id} not found. Run "engine notify channels" to see all channels.`,
    );
  }

  /** Rejects with `not_found`, `bad_request`, `already_exists`. Renames the channel in all rules. */
  async updateChannel(id: number, change: ChannelChange): Promise<Channel> {
    await this.#checkSecrets(change.secrets);
    return this.#changes.take(() => this.#updateChannel(id, change));
  }

  async #updateChannel(id: number, change: ChannelChange): Promise<Channel> {
    const { webhooks, clock, wake } = this.#options;
    const before = await this.getChannel(id);
    const { name = before.owner, allowPrivate, verifyTls, active, ...fields } = change;
    const settings = toSettings(
      name,
      {
        ...before.channel,
        ...withoutUndefined(fields),
        ...mergeSecrets({ values: readSecrets(before), names: before.channel.secrets }, fields),
      },
      {
        allowPrivate: allowPrivate ?? before.options.allowPrivate === true,
        verifyTls: verifyTls ?? before.verifyTls,
        active: active ?? before.active,
      },
    );
    const changed = await webhooks.updateWebhook(id, settings, clock.now());
    wake();
    return changed as Channel;
  }

  /** Deletes a channel with its messages. Rejects with `not_found`, or `conflict` while rules use it. */
  deleteChannel(id: number): Promise<Channel> {
    return this.#changes.take(() => this.#deleteChannel(id));
  }

  async #deleteChannel(id: number): Promise<Channel> {
    const channel = await this.getChannel(id);
    const using = await this.rulesOf(channel);
    if (using.length > 0)
      throw new AppError(
        'conflict',
        `Channel "${channel.owner}" is used by ${using.map((name) => `rule "${name}"`).join(', ')}. Change or delete the rule first.`,
      );
    await this.#options.webhooks.deleteWebhook(id, this.#options.clock.now());
    this.#options.wake();
    return channel;
  }

  /** Names of the rules that use a channel. */
  async rulesOf({ owner }: Channel): Promise<string[]> {
    const rules = await this.store.listRules();
    return rules.flatMap(({ name, channels }) => (channels.includes(owner) ? [name] : []));
  }

  /** Sends a test immediately and returns the response. Rejects with `not_found`, or `conflict` without a desktop. */
  async testChannel(id: number): Promise<AttemptOutcome> {
    const { clock, sendMail, secrets, showNotice } = this.#options;
    const channel = await this.getChannel(id);
    const content = composeTest(channel.owner, clock.now());
    if (channel.channel.kind === 'desktop') {
      if (showNotice === undefined)
        throw new AppError('conflict', 'This server has no desktop. Send the test from the desktop app.');
      showNotice(content);
      return { delivered: true, status: 'OK', durationMs: 0, timedOut: false };
    }
    const connections = new Connections();
    try {
      return await sendNotification(channel, content, {
        clock,
        connections,
        sendMail,
        readSecret: secrets.read,
      });
    } finally {
      connections.close();
    }
  }

  /** Rejects with `bad_request`, `already_exists`. */
  createRule(settings: RuleSettings): Promise<NotificationRule> {
    return this.#changes.take(async () =>
      this.store.createRule(await this.#checkRule(settings), this.#options.clock.now()),
    );
  }

  /** Rejects with `not_found`, `bad_request`, `already_exists`. */
  updateRule(id: number, change: Partial<RuleSettings>): Promise<NotificationRule> {
    return this.#changes.take(async () => {
      const settings = await this.#checkRule({ ...(await this.getRule(id)), ...withoutUndefined(change) });
      return (await this.store.updateRule(id, settings, this.#options.clock.now())) ?? throwNoRule(id);
    });
  }

  /** Rejects with `not_found`. */
  async getRule(id: number): Promise<NotificationRule> {
    return (await this.store.listRules()).find((rule) => rule.id === id) ?? throwNoRule(id);
  }

  /** Rejects with `not_found`. */
  async deleteRule(id: number): Promise<NotificationRule> {
    const rule = await this.getRule(id);
    await this.store.deleteRule(id);
    return rule;
  }

  /** Returns the rules that report failures of a workflow, and whether its file sends emails. */
  async findCoverage(name: string): Promise<Coverage> {
    const profile = await findCurrentProfile(name, this.#options);
    const channels = await this.store.listChannels();
    const active = new Set(channels.flatMap((channel) => (channel.active ? [channel.owner] : [])));
    const rules = listRulesFor(profile, await this.store.listRules()).flatMap((rule) => {
      const used = rule.channels.filter((channel) => active.has(channel));
      return rule.events.includes('failed') && used.length > 0 ? [{ name: rule.name, channels: used }] : [];
    });
    const { mailOn, steps = [], handlers = {} } = profile.workflow ?? {};
    const all = [...steps, ...Object.values(handlers)];
    return { rules, mail: mailOn?.failure === true || all.some(({ mailOnError }) => mailOnError === true) };
  }

  /** Sends a message again and returns the id of the new one. Rejects with `not_found`, `conflict`. */
  async resend(id: number): Promise<number> {
    const { webhooks, clock, wake } = this.#options;
    const message = await this.store.findMessage(id);
    if (message === undefined)
      throw new AppError('not_found', `Notification ${id} not found. It may have been deleted.`);
    assertResendable(message, await this.getChannel(message.hookId));
    const { eventId, hookId } = message;
    const resent = await webhooks.addRedelivery({ eventId, hookId }, clock.now());
    wake(hookId);
    return resent;
  }

  /** Rejects if a stored secret that a change names does not exist. */
  async #checkSecrets(names: ChannelFields['secrets'] = {}): Promise<void> {
    const requested = Object.entries(names).filter(([, name]) => name !== '');
    if (requested.length === 0) return;
    const stored = (await this.#options.secrets.open()).list().map(({ name }) => name);
    for (const [field, name] of requested) {
      if (stored.includes(name)) continue;
      const nearest = findNearest(name, stored);
      throw fieldError(
        `secrets.${field}`,
        `there is no stored secret "${name}". ${nearest === undefined ? `Add it with "engine secrets set ${name}".` : `Did you mean "${nearest}"?`}`,
      );
    }
  }

  async #checkRule(settings: RuleSettings): Promise<RuleSettings> {
    const { quiet, digestSec } = settings;
    const names = (await this.store.listChannels()).map(({ owner }) => owner);
    const unknown = settings.channels.find((name) => !names.includes(name));
    if (unknown !== undefined) throw fieldError('channels', formatUnknown(unknown, names));
    if (quiet !== undefined && quiet !== '' && parseQuietHours(quiet) === undefined)
      throw fieldError(
        'quiet',
        'must be two different times and optionally a time zone, such as "22:00-07:00 Europe/Berlin"',
      );
    return {
      ...settings,
      quiet: quiet === '' ? undefined : quiet?.trim(),
      digestSec: digestSec === 0 ? undefined : digestSec,
    };
  }
}

function assertResendable({ state }: NotificationMessage, { owner, active }: Channel): void {
  if (!active)
    throw new AppError(
      'conflict',
      `Channel "${owner}" is turned off. Turn it on to send the notification again.`,
    );
  if (state === 'waiting' || state === 'sending')
    throw new AppError('conflict', 'The notification is still being sent: another attempt is pending.');
}

function throwNoRule(id: number): never {
  throw new AppError('not_found', `Rule ${id} not found. Run "engine notify rules" to see all rules.`);
}

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Services that limit incoming messages to about one per second. */
const limited: ReadonlySet<string> = new Set(['slack', 'discord', 'telegram']);

function toSettings(
  name: string,
  fields: ChannelFields,
  { allowPrivate, verifyTls, active }: { allowPrivate: boolean; verifyTls: boolean; active: boolean },
): WebhookSettings {
  const { channel, secrets } = readChannelFields(fields, allowPrivate);
  return {
    kind: 'repository',
    owner: name,
    targetId: 0,
    url: describeAddress(channel, secrets),
    format: 'json',
    secrets: [{ value: JSON.stringify(secrets) }],
    verifyTls,
    active,
    events: [],
    options: {
      ...(allowPrivate && { allowPrivate }),
      ...(limited.has(channel.kind) && { perSecond: 1, concurrency: 1 }),
    },
    channel,
  };
}
