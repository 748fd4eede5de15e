import type { AccessLevel } from '../catalog/check-subscription.ts';
import { mayReceive, subscribedEvents } from '../catalog/check-subscription.ts';
import { findEvent, getsAction } from '../catalog/catalog.ts';
import { findInstallation } from './installations.ts';
import type { EventScope, Hook, StoredEvent, WebhookStore } from './ports.ts';

type HookSource = Pick<WebhookStore, 'allHooks' | 'hookVersion'>;

/** All hooks by subscribed event, reloaded only after a change. */
export class HookBook {
  readonly #store: HookSource;
  #version = -1;
  readonly #byId = new Map<number, Hook>();
  readonly #byEvent = new Map<string, Hook[]>();

  constructor(store: HookSource) {
    this.#store = store;
  }

  /** Whether a hook has changed since the last load. */
  get isOld(): boolean {
    return this.#store.hookVersion() !== this.#version;
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Reloads the hooks after a change. */
  refresh(): void {
    const version = this.#store.hookVersion();
    if (version === this.#version) return;
    this.#version = version;
    this.#byId.clear();
    this.#byEvent.clear();
    for (const hook of this.#store.allHooks()) this.#add(hook);
  }

  find(id: number): Hook | undefined {
    return this.#byId.get(id);
  }

  /** Returns the hooks that receive an event. */
  select(event: Pick<StoredEvent, 'event' | 'action' | 'scope' | 'occurredAt'>): Hook[] {
    const { scope } = event;
    if (scope.hookId !== undefined) {
      const only = this.#byId.get(scope.hookId);
      return only === undefined ? [] : [only];
    }
    return (this.#byEvent.get(event.event) ?? []).filter(
      (hook) => hook.createdAt <= event.occurredAt && isAbout(hook, scope) && mayHave(hook, event),
    );
  }

  #add(hook: Hook): void {
    this.#byId.set(hook.id, hook);
    if (!hook.active || hook.deletedAt !== undefined) return;
    const { kind, events, options } = hook;
    for (const name of subscribedEvents({ kind, events, permissions: options.permissions })) {
      const hooks = this.#byEvent.get(name) ?? [];
      hooks.push(hook);
      this.#byEvent.set(name, hooks);
    }
  }
}

/** Whether an event belongs to a hook's owner. Names are case-insensitive. */
function isAbout(hook: Hook, scope: EventScope): boolean {
  switch (hook.kind) {
    case 'repository':
      return isSame(hook.owner, scope.repository);
    case 'marketplace':
      // Marketplace events do not name the listing; a home has only one.
      return true;
    case 'organization':
    case 'sponsored':
      return isSame(hook.owner, scope.organization);
    case 'enterprise':
      return isSame(hook.owner, scope.enterprise);
    case 'app':
      return findInstallation(hook, scope) !== undefined;
  }
}

const isSame = (owner: string, name: string | undefined): boolean =>
  owner.toLowerCase() === name?.toLowerCase();

function mayHave(
  { kind, options }: Hook,
  { event: name, action }: Pick<StoredEvent, 'event' | 'action'>,
): boolean {
  const event = findEvent(name);
  if (event === undefined || !getsAction(event, kind, action)) return false;
  if (kind !== 'app' || event.rules.alwaysSent?.includes('app') === true) return true;
  const permissions: Readonly<Record<string, AccessLevel>> = options.permissions ?? {};
  return mayReceive(event, action, permissions);
}
