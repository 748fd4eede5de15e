import type { FailPointName } from './fail-points.ts';

let reached: ((name: FailPointName) => void) | undefined;

/** Marks a moment at which a fault test may end or halt this process. Costs nothing unless one was asked for. */
export const failPoint = (name: FailPointName): void => reached?.(name);

/** Has every moment reported from now on; without a listener, none. */
export function watchFailPoints(listener: ((name: FailPointName) => void) | undefined): void {
  reached = listener;
}
