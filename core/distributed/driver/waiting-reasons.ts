import { pluralize } from '../../base/text/pluralize.ts';
import { describeNoWorker, type WorkerSelector } from '../../model/workflow/worker-selector.ts';
import type { DispatchStore, WorkerRecord } from '../ports.ts';

/** Maximum number of workers to name; further ones are counted. */
const maxNamed = 3;

/** Returns why a task with these labels waits, in one sentence, given the current workers. */
export function describeWaiting(selector: WorkerSelector, workers: readonly WorkerRecord[]): string {
  const aliveWorkers = workers.filter(({ state }) => state !== 'gone');
  const matching = aliveWorkers.filter(({ labels }) => matches(selector, labels));
  if (matching.length === 0) return `${describeNoWorker(selector)} (${describeWorkers(aliveWorkers)})`;
  const active = matching.filter(({ state }) => state === 'active');
  if (active.length === 0) return `${describeMatching(matching)} ${areOrIs(matching)} draining`;
  return `${describeMatching(active)} ${areOrIs(active)} busy`;
}

/** Returns the sentence for each selector, by {@link selectorKey}. */
export async function describeAll(
  store: Pick<DispatchStore, 'listWorkers'>,
  selectors: readonly WorkerSelector[],
): Promise<Map<string, string>> {
  const workers = await store.listWorkers();
  return new Map(
    selectors.map((selector) => [selectorKey(selector), describeWaiting(selector, workers)] as const),
  );
}

/** Returns a map key of a selector. */
export const selectorKey = (selector: WorkerSelector): string => JSON.stringify(selector);

const matches = (selector: WorkerSelector, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

const areOrIs = ({ length }: readonly unknown[]): string => (length === 1 ? 'is' : 'are');

const describeMatching = ({ length }: readonly unknown[]): string =>
  length === 1 ? 'the only matching worker' : `all ${length} matching workers`;

function describeWorkers(workers: readonly WorkerRecord[]): string {
  if (workers.length === 0) return 'no workers are connected';
  const listed = workers.slice(0, maxNamed).map(({ id, labels }) => {
    const labelTexts = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    return labelTexts.length === 0 ? `${id} without labels` : `${id} ${labelTexts.join(' ')}`;
  });
  const remaining = workers.length > maxNamed ? [`${workers.length - maxNamed} more`] : [];
  const count = pluralize(workers.length, 'worker');
  return `${count}: ${[...listed, ...remaining].join(', ')}`;
}
