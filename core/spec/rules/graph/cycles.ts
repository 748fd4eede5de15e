import { findCycle } from '../../../plan/graph.ts';
import type { StepDraft } from '../../normalize/step-draft.ts';
import type { Report } from '../../source/report.ts';
import { findField } from '../../source/source-node.ts';

/** Maximum number of names that a message lists for a cycle. */
const MAX_NAMES_SHOWN = 12;

/**
 * Reports dependency cycles.
 * @param names unique names of `drafts`, in the same order
 * @param depends dependencies of each draft
 */
export function rejectCycles(
  drafts: readonly StepDraft[],
  names: readonly string[],
  depends: readonly (readonly string[])[],
  report: Report,
): void {
  const cycle = findCycle(names.map((name, index) => ({ name, depends: depends[index]! })));
  if (cycle === undefined) return;
  const members = new Set(cycle);
  const involved = drafts.filter((_, index) => members.has(names[index]!));
  // At least one of these dependencies is explicit; a chain alone has no cycle.
  const author = involved.find((draft) => draft.authored.depends !== undefined) ?? involved[0]!;
  const source = findField(author.source, 'depends') ?? author.source;
  report.error(source, describeCycle(cycle));
}

function describeCycle(cycle: readonly string[]): string {
  if (cycle.length === 2) return `Step "${cycle[0]}" depends on itself. Remove it from its "depends".`;
  const shown =
    cycle.length <= MAX_NAMES_SHOWN ? cycle : [...cycle.slice(0, MAX_NAMES_SHOWN - 1), '…', cycle.at(-1)!];
  return `Dependency cycle: ${shown.join(' -> ')}. Remove one of these dependencies.`;
}
