/**
 * The typed client as scripts get it (`import … from 'stepwright/client'`): everything an import needs, with the
 * machine's own clock. Nothing of Node and nothing of a browser beyond what both have: fetch, streams, timers.
 */
import { systemClock } from '../system-clock.ts';
import { openClient, type Client, type ClientSettings } from './client.ts';

export { AppError } from '../base/errors.ts';

/** A client of the engine at `url`. Throws `bad_request` when that is no http or https address. */
export const createClient = (settings: Omit<ClientSettings, 'clock'>): Client =>
  openClient({ ...settings, clock: systemClock });
