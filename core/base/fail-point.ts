// A file of its own: the product loads it, and not the list of names.
import type { FailPointName } from './fail-points.ts';

let reached: ((name: FailPointName) => void) | undefined;

/** Marks a point at which a fault test may end or halt this process. Costs nothing in production. */
export const failPoint = (name: FailPointName): void => reached?.(name);

/** Reports every fail point to the listener; without a listener, none. */
export function watchFailPoints(listener: ((name: FailPointName) => void) | undefined): void {
  reached = listener;
}
