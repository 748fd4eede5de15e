import { EventEmitter } from 'node:events';
import { app } from '../app/app.ts';
import { createProtocol, type Protocol, type ProtocolHandler } from './protocol.ts';
import { createWebRequest, type HeadersListener, type WebRequest } from './web-request.ts';
import type { PermissionHandlers } from './permissions.ts';

/** Session state for its pages, which Electron has no API to read. */
export interface SessionRules {
  readonly schemeHandlers: Map<string, ProtocolHandler>;
  readonly permissions: PermissionHandlers;
  headersListener: HeadersListener | undefined;
}

const rulesBySession = new WeakMap<Session, SessionRules>();

/** Electron's `Session`. All of them share one browser profile. */
export class Session extends EventEmitter {
  readonly protocol: Protocol;
  readonly webRequest: WebRequest;

  constructor() {
    super();
    const rules: SessionRules = { schemeHandlers: new Map(), permissions: {}, headersListener: undefined };
    rulesBySession.set(this, rules);
    this.protocol = createProtocol(rules.schemeHandlers);
    this.webRequest = createWebRequest((listener) => {
      rules.headersListener = listener;
    });
  }

  get storagePath(): string {
    return app.getPath('sessionData');
  }

  setPermissionRequestHandler(handler: PermissionHandlers['request'] | null): void {
    getSessionRules(this).permissions.request = handler ?? undefined;
  }

  setPermissionCheckHandler(handler: PermissionHandlers['check'] | null): void {
    getSessionRules(this).permissions.check = handler ?? undefined;
  }

  /** No device can be reached from the stand-in, whatever the handler returns. */
  setDevicePermissionHandler(_handler: unknown): void {}

  setSpellCheckerEnabled(_enabled: boolean): void {}

  async clearCache(): Promise<void> {}

  async clearStorageData(): Promise<void> {}

  async setProxy(): Promise<void> {}

  flushStorageData(): void {}

  getUserAgent(): string {
    return app.userAgentFallback;
  }
}

/** Request and permission handlers of a session. */
export function getSessionRules(owner: Session): SessionRules {
  const rules = rulesBySession.get(owner);
  if (!rules) throw new Error('electron stand-in: not a session of this process');
  return rules;
}

const sessions = new Map<string, Session>();

/** The session of a partition, created on first use; the empty name is the default session. */
export function findSession(partition: string): Session {
  const known = sessions.get(partition);
  if (known) return known;
  const created = new Session();
  sessions.set(partition, created);
  app.emit('session-created', created);
  return created;
}

/** Electron's `session` module. */
export const session = {
  get defaultSession(): Session {
    return findSession('');
  },
  fromPartition: findSession,
};

/** Electron's `protocol` module: that of the default session, usable before `ready`. */
export const protocol = new Proxy({} as Protocol, {
  get: (_target, key) => Reflect.get(findSession('').protocol, key) as unknown,
});
