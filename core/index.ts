/** The API of the engine for hosts. */
export { checkInput, checkInputs } from './api/guards/checked-api.ts';
export type { Caller, EngineApi, EngineHost } from './api/engine-host.ts';
export { openEngine } from './engine.ts';
export { resolveHome } from './config/home.ts';
export { openService } from './service/open-service.ts';
export type { ServiceControl } from './service/service-control.ts';
export type { Keychain } from './secrets/keychain.ts';
export { Watchdog } from './process/watchdog/watchdog.ts';
export { systemClock } from './system-clock.ts';
