// A file of its own: the entry of the engine for hosts.

/** The API of the engine for hosts. */
export { acceptsInput, loadInputChecker } from './api/create-api.ts';
export type { Caller, EngineApi } from './api/engine-api.ts';
export { openEngine, type Engine } from './engine.ts';
export { resolveHome } from './home/config/home.ts';
export { openService } from './home/service/service-control.ts';
export type { ServiceControl } from './home/service/service-control.ts';
export type { Keychain } from './process/secrets/provider.ts';
export type { NotificationContent } from './webhooks/notifications/message.ts';
export { Watchdog } from './process/watchdog/watchdog.ts';
export { systemClock } from './base/system-clock.ts';
