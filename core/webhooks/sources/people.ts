import type { JsonObject } from '../../base/json.ts';
import { stableId } from './stable-id.ts';

/**
 * Who is named where nobody caused an event (seed 2, Common payload properties): its id belongs to no user, because
 * those of users are above it.
 */
export const ghost: JsonObject = { login: 'ghost', id: 1, type: 'User' };

/** What starts runs where no user did. */
const transports: ReadonlySet<string> = new Set([
  '',
  'http',
  'window',
  'cli',
  'schedule',
  'webhook',
  'ghost',
]);

/** Who caused an event, by the name under which the history knows them. */
export const senderNamed = (name: string | undefined): JsonObject =>
  name === undefined || transports.has(name)
    ? ghost
    : { login: name, id: stableId(`user ${name}`) + 1, type: 'User' };
