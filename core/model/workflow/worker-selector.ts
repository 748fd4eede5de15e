/** Labels that a worker must have, by name, with exactly these values. */
export type WorkerSelector = Readonly<Record<string, string>>;

/**
 * Combines selectors; later ones override earlier ones. Returns undefined when no labels are required, which every host
 * matches.
 */
export function joinSelectors(
  ...selectors: readonly (WorkerSelector | undefined)[]
): WorkerSelector | undefined {
  const joined: WorkerSelector = Object.assign({}, ...selectors);
  return Object.keys(joined).length === 0 ? undefined : joined;
}

/** `gpu=yes, region=eu` */
export const describeLabels = (selector: WorkerSelector): string =>
  Object.entries(selector)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** `no worker matches gpu=yes, region=eu` */
export const describeNoWorker = (selector: WorkerSelector): string =>
  `no worker matches ${describeLabels(selector)}`;
