import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { EngineParts } from '../../engine-parts.ts';

/**
 * Any name may be that of a queue, so a mistyped one would change a queue that nothing is ever in. Known is what the
 * configuration names, what has runs or is not open, and what a workflow of the home asks for. Throws `not_found` with
 * the nearest one.
 */
export function requireQueue({ queues, library }: EngineParts, name: string): void {
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
