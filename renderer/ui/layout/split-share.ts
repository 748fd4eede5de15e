const keyPrefix = 'stepwright.split.';

/** Keeps either part of a divided area usable. */
export const clampShare = (share: number): number => Math.min(0.85, Math.max(0.15, share));

/** The division the user has chosen before, or `initial`. */
export function readShare(id: string, initial: number): number {
  const stored = Number(localStorage.getItem(keyPrefix + id));
  return stored > 0 ? clampShare(stored) : initial;
}

/** Remembers a division on this machine. */
export const storeShare = (id: string, share: number): void =>
  localStorage.setItem(keyPrefix + id, share.toFixed(4));
