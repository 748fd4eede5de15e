// A file of its own: the entry of the package `stepwright/client`.

/**
 * The typed client for scripts (`import … from 'stepwright/client'`), with the system clock. Uses only APIs available
 * in Node and browsers: fetch, streams, timers.
 */
import { systemClock } from '../../base/system-clock.ts';
import { openClient, type Client, type ClientSettings } from './client.ts';

export { AppError } from '../../base/errors.ts';

/** Creates a client of the engine at `url`. Throws `bad_request` if it is not an http or https URL. */
export const createClient = (settings: Omit<ClientSettings, 'clock'>): Client =>
  openClient({ ...settings, clock: systemClock });
