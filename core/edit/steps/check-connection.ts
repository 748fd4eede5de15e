import { findDownstream } from '../../spec/plan/graph.ts';
import type { OutlineDocument, OutlineStep } from '../outline.ts';
import { reject, type EditRejection, type NodeRef } from '../text-change.ts';

/** Steps and handlers by name, and their dependencies. */
export interface StepGraph extends Pick<OutlineDocument, 'type'> {
  readonly steps: readonly Pick<OutlineStep, 'name' | 'depends'>[];
  readonly handlers: readonly Pick<OutlineStep, 'name'>[];
}

export const formatMissingStep = ({ section, name }: NodeRef): string =>
  section === 'step'
    ? `Step "${name}" no longer exists in this workflow.`
    : `This workflow has no handler "${name}".`;

/** Maximum number of names in a message about a path. */
const MAX_NAMES_SHOWN = 8;

/**
 * Returns why a step cannot depend on another one; undefined if it can. Fast enough to call on every pointer move.
 * @param source the step that finishes first
 * @param target the step that depends on it
 */
export function checkConnection(
  document: StepGraph,
  source: NodeRef,
  target: NodeRef,
): EditRejection | undefined {
  if (source.section === 'handler' || target.section === 'handler')
    return reject('Handlers cannot have dependencies.');
  for (const ref of [source, target]) {
    if (!document.steps.some(({ name }) => name === ref.name)) return reject(formatMissingStep(ref));
  }
  if (source.name === target.name) return reject('A step cannot depend on itself.');
  const waiting = document.steps.find(({ name }) => name === target.name)!;
  if (waiting.depends.includes(source.name))
    return reject(`"${target.name}" already depends on "${source.name}".`);
  const path = findPath(document, target.name, source.name);
  if (path !== undefined) return rejectCycle(document, path, { source, target });
  return document.type === 'chain' ? rejectInChain() : undefined;
}

/**
 * Error for a connection that would create a cycle, with an edit that does what the user wants: in a sequence the other
 * order, in a graph the opposite dependency if it is the only path.
 */
function rejectCycle(
  { type, steps }: StepGraph,
  path: readonly string[],
  pair: { readonly source: NodeRef; readonly target: NodeRef },
): EditRejection {
  const { source, target } = pair;
  if (type === 'chain') {
    const reason = `"${target.name}" runs before "${source.name}". To run it after, change the order of the steps.`;
    return { ...reject(reason), offer: { kind: 'move', ...pair } };
  }
  const without = steps.map((step) =>
    step.name === source.name
      ? { ...step, depends: step.depends.filter((name) => name !== target.name) }
      : step,
  );
  if (path.length === 2 && !findDownstream(without, [target.name]).has(source.name))
    return {
      ...reject(`This would create a cycle: "${source.name}" already depends on "${target.name}".`),
      offer: { kind: 'reverse', ...pair },
    };
  return reject(`This would create a cycle: ${formatPath(path)}. Remove one of these dependencies first.`);
}

/** Error for connecting steps of a chain, whose order determines their dependencies. */
export const rejectInChain = (): EditRejection => ({
  ok: false,
  reason: 'This workflow runs its steps in sequence. Use explicit dependencies to connect steps.',
  offer: { kind: 'convert-to-graph' },
});

/** Finds a shortest path along the dependencies, including both ends. */
function findPath({ steps }: StepGraph, from: string, to: string): string[] | undefined {
  if (!findDownstream(steps, [from]).has(to)) return undefined;
  const depends = new Map(steps.map((step) => [step.name, step.depends]));
  const next = new Map<string, string>();
  const queue = [to];
  // Search from the end, because each step knows its dependencies.
  for (const name of queue) {
    for (const before of depends.get(name) ?? []) {
      if (before === to || next.has(before)) continue;
      next.set(before, name);
      queue.push(before);
    }
    if (next.has(from)) break;
  }
  const path = [from];
  while (path.at(-1) !== to) {
    const step = next.get(path.at(-1)!);
    if (step === undefined) return undefined;
    path.push(step);
  }
  return path;
}

function formatPath(path: readonly string[]): string {
  const shown =
    path.length <= MAX_NAMES_SHOWN ? path : [...path.slice(0, MAX_NAMES_SHOWN - 2), '…', path.at(-1)!];
  return shown.join(' -> ');
}
