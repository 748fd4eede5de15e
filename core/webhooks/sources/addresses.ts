/**
 * Where payloads say that things are. An engine that works for one person has no address that a receiver could reach,
 * and what is in payloads must not change with the address by which somebody reaches a server; so it is that of no
 * host (RFC 2606), in the shapes that receivers parse. Pages of runs are different: those open in the desktop app.
 */
const origin = 'https://stepwright.invalid';

/** The address of something as data. */
export const apiAddress = (path: string): string => `${origin}/${path}`;

/** The address of a run, or of a step of it, as the desktop app opens it. */
export const pageAddress = (...place: readonly string[]): string =>
  `stepwright://run/${place.map(encodeURIComponent).join('/')}`;

/** An id as receivers that speak GraphQL know it: base64, the same for the same thing. */
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}${id}`).toString('base64');
