import type { Clock } from '../../base/clock.ts';
import type { HookKind } from '../../contract/webhooks/events.ts';
import type { HookOptions } from '../../contract/webhooks/hook-views.ts';
import { checkSubscription, subscribedEvents } from '../catalog/check-subscription.ts';
import { findEvent } from '../catalog/catalog.ts';
import type { Hook, HookSecret, HookSettings, WebhookStore } from '../outbound/ports.ts';
import { accountId, ownEnterprise, ownRepository, repositoryId } from '../sources/places.ts';
import { stableId } from '../sources/stable-id.ts';
import { findProblems } from './check-hook.ts';
import { createFarewell, createPing } from './hook-events.ts';
import { hookIsOff, noHook, refuseFields } from './refusals.ts';

/** Settings of a new hook. */
export interface NewHook {
  readonly kind?: HookKind | undefined;
  readonly owner?: string | undefined;
  readonly url: string;
  readonly secret?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly format?: 'json' | 'form' | undefined;
  readonly verifyTls?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly options?: HookOptions | undefined;
}

/** Changes of a hook. */
export interface HookChange {
  readonly url?: string | undefined;
  /** Null or empty: no secret. */
  readonly secret?: string | null | undefined;
  readonly events?: readonly string[] | undefined;
  readonly addEvents?: readonly string[] | undefined;
  readonly removeEvents?: readonly string[] | undefined;
  readonly format?: 'json' | 'form' | undefined;
  readonly verifyTls?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly options?: HookOptions | undefined;
}

/** Default owners of hooks. */
const usualOwners: Readonly<Record<HookKind, string>> = {
  repository: ownRepository,
  organization: ownRepository.split('/')[0]!,
  enterprise: ownEnterprise,
  app: 'stepwright',
  marketplace: 'stepwright',
  sponsored: ownRepository.split('/')[0]!,
};

/** Maximum number of stored secrets. */
const mostSecrets = 2;

/** Manages the hooks of a home and sends their `ping` and `meta` events. */
export class Hooks {
  readonly #store: WebhookStore;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #wake: () => void;

  constructor(parts: {
    readonly store: WebhookStore;
    readonly clock: Clock;
    /** From 0 to 1. */
    readonly random: () => number;
    /** Called when there is something to send. */
    readonly wake: () => void;
  }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.#wake = parts.wake;
  }

  /** Creates a hook and sends a ping. Throws `validation_failed`. */
  create(wanted: NewHook, by?: string): Hook {
    const { kind = 'repository', secret } = wanted;
    const owner = wanted.owner ?? usualOwners[kind];
    const settings = this.#check({
      kind,
      owner,
      targetId: targetIdOf(kind, owner),
      url: wanted.url,
      format: wanted.format ?? 'json',
      secrets: secret ? [{ value: secret }] : [],
      verifyTls: wanted.verifyTls ?? true,
      active: wanted.active ?? true,
      events: wanted.events ?? ['*'],
      options: wanted.options ?? {},
    });
    const hook = this.#store.createHook(settings, this.#clock.now());
    if (hook.active && canPing(hook)) this.ping(hook.id, by);
    return hook;
  }

  /** Throws `not_found`. */
  get(id: number): Hook {
    const hook = this.#store.findHook(id);
    if (hook === undefined) throw noHook(id);
    return hook;
  }

  /** Changes a hook; absent fields stay unchanged. Throws `not_found`, `validation_failed`. */
  update(id: number, change: HookChange): Hook {
    const hook = this.get(id);
    const { secret, addEvents = [], removeEvents = [] } = change;
    const removed = new Set(removeEvents.map(ownName));
    const events = [...(change.events ?? hook.events), ...addEvents].filter(
      (event) => !removed.has(ownName(event)),
    );
    const settings = this.#check(
      {
        ...hook,
        url: change.url ?? hook.url,
        format: change.format ?? hook.format,
        secrets: secret === undefined ? hook.secrets : secret ? [{ value: secret }] : [],
        verifyTls: change.verifyTls ?? hook.verifyTls,
        active: change.active ?? hook.active,
        events: events.length === 0 ? refuseEmpty() : events,
        options: change.options ?? hook.options,
      },
      id,
    );
    return this.#changed(id, settings);
  }

  /** Signs with a new secret; the old one stays valid for a while. Throws `not_found`. */
  rotateSecret(id: number, secret: string, overlapMs: number): Hook {
    const hook = this.get(id);
    const [current] = hook.secrets;
    const until = this.#clock.now() + overlapMs;
    const former: HookSecret[] =
      current === undefined || overlapMs === 0 ? [] : [{ value: current.value, until }];
    return this.#changed(id, { ...hook, secrets: [{ value: secret }, ...former].slice(0, mostSecrets) });
  }

  /** Deletes a hook; if subscribed to `meta`, it receives that event. Throws `not_found`. */
  delete(id: number, by?: string): Hook {
    const hook = this.get(id);
    const isTold = hook.active && subscribedEvents(hook).has('meta');
    this.#store.deleteHook(id, this.#clock.now(), isTold ? createFarewell(hook, by) : undefined);
    this.#wake();
    return hook;
  }

  /** Sends a `ping` and returns its GUID. Throws `not_found`, or `validation_failed` for a kind without ping. */
  ping(id: number, by?: string): string {
    const hook = this.get(id);
    if (!canPing(hook))
      throw refuseFields('Hook', [
        { field: 'kind', code: 'invalid', message: 'Webhooks of sponsored accounts do not support "ping".' },
      ]);
    if (!hook.active) throw hookIsOff(id);
    const [event] = this.#store.addEvents([createPing(hook, by, this.#random)], this.#clock.now());
    this.#wake();
    return event!.guid;
  }

  #changed(id: number, settings: HookSettings): Hook {
    const hook = this.#store.updateHook(id, settings, this.#clock.now());
    if (hook === undefined) throw noHook(id);
    this.#wake();
    return hook;
  }

  #check(settings: HookSettings, own?: number): HookSettings {
    const { kind, owner } = settings;
    const others = this.#store
      .listHooks({ kind, owner, limit: Number.MAX_SAFE_INTEGER })
      .filter(({ id }) => id !== own);
    const problems = findProblems(settings, others);
    if (problems.length > 0) throw refuseFields('Hook', problems);
    const checked = checkSubscription({ ...settings, permissions: settings.options.permissions });
    return { ...settings, events: checked.ok ? checked.events : settings.events };
  }
}

const canPing = ({ kind }: Hook): boolean => findEvent('ping')!.availability.includes(kind);

const ownName = (event: string): string => findEvent(event)?.name ?? event;

function refuseEmpty(): never {
  throw refuseFields('Hook', [
    {
      field: 'events',
      code: 'missing',
      message: 'A webhook requires at least one event. To stop it, deactivate or delete the webhook.',
    },
  ]);
}

/** Returns the target id in deliveries, the same for every hook of an owner. */
function targetIdOf(kind: HookKind, owner: string): number {
  if (kind === 'repository') return repositoryId(owner);
  if (kind === 'organization' || kind === 'sponsored') return accountId(owner);
  return stableId(`${kind} ${owner}`);
}
