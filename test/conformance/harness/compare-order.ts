import type { StepResult } from './case-result.ts';

/**
 * Where steps did not run in the expected order: everything of one item has ended before anything of the
 * next begins. The members of a nested list may run in any order among themselves.
 */
export function compareOrder(
  order: readonly (string | readonly string[])[],
  steps: readonly StepResult[],
): string[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const missing = order.flat().filter((name) => !byName.get(name)?.startedAt);
  if (missing.length > 0) return [`order: ${missing.join(', ')} did not run`];
  const groups = order.map((names) => [names].flat().map((name) => byName.get(name)!));
  return groups
    .slice(1)
    .flatMap((later, index) =>
      groups[index]!.flatMap((before) =>
        later
          .filter((after) => before.finishedAt === null || before.finishedAt > after.startedAt!)
          .map((after) => `order: ${after.name} began before ${before.name} had ended`),
      ),
    );
}
