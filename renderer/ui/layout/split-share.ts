const keyPrefix = 'stepwright.split.';

/** Limits a split ratio so that both panes stay usable. */
export const clampSplitRatio = (share: number): number => Math.min(0.85, Math.max(0.15, share));

/** Returns the stored split ratio, or `initial`. */
export function readSplitRatio(id: string, initial: number): number {
  const stored = Number(localStorage.getItem(keyPrefix + id));
  return stored > 0 ? clampSplitRatio(stored) : initial;
}

/** Stores a split ratio on this machine. */
export const storeSplitRatio = (id: string, share: number): void =>
  localStorage.setItem(keyPrefix + id, share.toFixed(4));
