import type { LoadedBase } from '../../library/base-file.ts';
import { loadWithBaseInThread, type SpecFile } from '../../library/read-spec.ts';
import type { FileText } from '../../library/read-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { normalizeLineEnds } from '../../spec/source/line-map.ts';
import { readHead } from './read-head.ts';
import { hasTimes, type ScheduledDag } from './scheduled-dag.ts';

/** The schedule of a file. */
export interface ReadDag {
  /** Absent when it has no schedule, or is broken. */
  readonly dag?: ScheduledDag;
  /** Why its schedule is invalid. */
  readonly errors: readonly Diagnostic[];
}

/**
 * Reads the schedule of a workflow file. Parses only that part when it is independent of the rest, so errors in the
 * steps appear when a slot is due.
 * @param file absolute
 */
export async function readScheduledDag(
  dag: string,
  file: string,
  { text, problem }: FileText,
  base: LoadedBase,
): Promise<ReadDag> {
  if (problem !== undefined) return { errors: [problem] };
  const head = readHead(normalizeLineEnds(text));
  const baseHasTimes = base.config !== undefined && hasTimes(base.config.schedule);
  if (head !== undefined) {
    if (!head.hasSchedule && !baseHasTimes) return { errors: [] };
    const spec = await loadWithBaseInThread({ text: head.text, file }, base);
    if (!hasErrors(spec)) return toDag(dag, spec);
  }
  return toDag(dag, await loadWithBaseInThread({ text, file }, base));
}

const hasErrors = ({ diagnostics }: SpecFile): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

function toDag(dag: string, { workflows, diagnostics }: SpecFile): ReadDag {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const workflow = workflows[0];
  if (errors.length > 0 || workflow === undefined || !hasTimes(workflow.schedule)) return { errors };
  const { schedule, catchup, catchupWindowSec } = workflow;
  return { dag: { dag, schedule, catchup, catchupWindowSec }, errors };
}
