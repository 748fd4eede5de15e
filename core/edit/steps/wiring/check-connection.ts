import { findDownstream } from '../../../plan/graph.ts';
import type { NodeRef, EditRejection } from '../../edit-result.ts';
import { describeMissing, reject, type WiredSteps } from '../open-workflow.ts';

/** Maximum number of names in a message about a path. */
const MAX_NAMES_SHOWN = 8;

/**
 * Returns why a step cannot depend on another one; undefined if it can. Fast enough to call on every pointer move.
 * @param source the step that finishes first
 * @param target the step that depends on it
 */
export function checkConnection(
  document: WiredSteps,
  source: NodeRef,
  target: NodeRef,
): EditRejection | undefined {
  if (source.section === 'handler' || target.section === 'handler')
    return reject('Handlers cannot have dependencies.');
  for (const ref of [source, target]) {
    if (!document.steps.some(({ name }) => name === ref.name)) return reject(describeMissing(ref));
  }
  if (source.name === target.name) return reject('A step cannot depend on itself.');
  const waiting = document.steps.find(({ name }) => name === target.name)!;
  if (waiting.depends.includes(source.name))
    return reject(`"${target.name}" already depends on "${source.name}".`);
  const way = findWay(document, target.name, source.name);
  if (way !== undefined) return reject(`This would create a cycle: ${showWay(way)}.`);
  return document.type === 'chain' ? rejectInChain() : undefined;
}

/** Error for connecting steps of a chain, whose order determines their dependencies. */
export const rejectInChain = (): EditRejection => ({
  ok: false,
  reason: 'This workflow runs its steps in sequence. Use explicit dependencies to connect steps.',
  offer: 'convert-to-graph',
});

/** Finds a shortest path along the dependencies, including both ends. */
function findWay({ steps }: WiredSteps, from: string, to: string): string[] | undefined {
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
  const way = [from];
  while (way.at(-1) !== to) {
    const step = next.get(way.at(-1)!);
    if (step === undefined) return undefined;
    way.push(step);
  }
  return way;
}

function showWay(way: readonly string[]): string {
  const shown =
    way.length <= MAX_NAMES_SHOWN ? way : [...way.slice(0, MAX_NAMES_SHOWN - 2), '…', way.at(-1)!];
  return shown.join(' -> ');
}
