import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { EngineContext } from '../../engine-context.ts';

/**
 * Checks that a queue is known, because any name can be that of a queue and a typo would change an unused queue. Known
 * queues are in the configuration, have runs or are not open, or are used by a workflow of the home.
 * @throws `not_found` with the most similar name
 */
export function requireQueue({ queues, library }: EngineContext, name: string): void {
  const used = queues.list().map(({ queue }) => queue.name);
  if (used.includes(name)) return;
  const wished = library.list().map(({ fileName, spec: { workflows } }) => {
    const [workflow] = workflows;
    return workflow?.queue ?? workflow?.name ?? fileName;
  });
  if (wished.includes(name)) return;
  const nearest = findNearest(name, [...used, ...wished]);
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  throw new AppError('not_found', `Queue "${name}" not found.${guess}`);
}
