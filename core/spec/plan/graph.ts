import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { Step } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';

/**
 * The part of a step that defines the graph. `depends` contains only names of nodes in the same graph, without
 * duplicates.
 */
export interface GraphNode {
  readonly name: string;
  readonly depends: readonly string[];
}

/** Returns each node's direct dependents, in file order. Names that are not in the graph are left out. */
export function mapDependents(nodes: readonly GraphNode[]): Map<string, string[]> {
  const dependents = new Map<string, string[]>(nodes.map(({ name }) => [name, []]));
  for (const { name, depends } of nodes) {
    for (const dependency of depends) dependents.get(dependency)?.push(name);
  }
  return dependents;
}

/**
 * Returns all names in topological order, and otherwise in file order by waves. Nodes on or behind a cycle are missing
 * from the result.
 */
export function orderTopologically(nodes: readonly GraphNode[]): string[] {
  const dependents = mapDependents(nodes);
  const open = new Map(
    nodes.map(({ name, depends }) => [
      name,
      depends.filter((dependency) => dependents.has(dependency)).length,
    ]),
  );
  const order = nodes.filter(({ name }) => open.get(name) === 0).map(({ name }) => name);
  // The list grows during iteration: each name is added when its last dependency has been visited.
  for (const name of order) {
    for (const dependent of dependents.get(name)!) {
      const remainingCount = open.get(dependent)! - 1;
      open.set(dependent, remainingCount);
      if (remainingCount === 0) order.push(dependent);
    }
  }
  return order;
}

/**
 * Returns a cycle as the path along `depends`, with its first name repeated at the end (`a` depends on `b` depends on
 * `a`: `['a', 'b', 'a']`), or undefined when the graph has none.
 */
export function findCycle(nodes: readonly GraphNode[]): string[] | undefined {
  const order = orderTopologically(nodes);
  if (order.length === nodes.length) return undefined;
  const sorted = new Set(order);
  const remaining = new Map(
    nodes.filter(({ name }) => !sorted.has(name)).map((node) => [node.name, node.depends]),
  );
  // Every remaining node depends on another remaining one, so the path must return to a visited name.
  const path: string[] = [];
  const positionByName = new Map<string, number>();
  let name: string | undefined = remaining.keys().next().value;
  while (name !== undefined && !positionByName.has(name)) {
    positionByName.set(name, path.length);
    path.push(name);
    name = remaining.get(name)?.find((dependency) => remaining.has(dependency));
  }
  return name === undefined ? undefined : [...path.slice(positionByName.get(name)), name];
}

/**
 * Returns a number for each node on a cycle; nodes with the same number depend on each other. Other nodes are missing
 * from the result.
 */
export function findCycles(nodes: readonly GraphNode[]): ReadonlyMap<string, number> {
  const cycles = new Map<string, number>();
  // First without what is before all cycles, then without what is behind them.
  const behind = withoutSorted(nodes, orderTopologically(nodes));
  const dependents = mapDependents(behind);
  const reversed = behind.map(({ name }) => ({ name, depends: dependents.get(name)! }));
  const candidates = withoutSorted(behind, orderTopologically(reversed));
  for (const { name } of candidates) {
    if (cycles.has(name)) continue;
    const upstream = findUpstream(candidates, [name]);
    if (!upstream.has(name)) continue;
    const downstream = findDownstream(candidates, [name]);
    const number = cycles.size;
    for (const member of upstream) if (downstream.has(member)) cycles.set(member, number);
  }
  return cycles;
}

function withoutSorted(nodes: readonly GraphNode[], order: readonly string[]): readonly GraphNode[] {
  const sorted = new Set(order);
  return nodes.filter(({ name }) => !sorted.has(name));
}

/** Returns all transitive dependents of `names`; the names themselves only when they are among them. */
export function findDownstream(nodes: readonly GraphNode[], names: Iterable<string>): Set<string> {
  const dependents = mapDependents(nodes);
  const reachable = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const dependent of dependents.get(name) ?? []) {
      if (reachable.has(dependent)) continue;
      reachable.add(dependent);
      open.push(dependent);
    }
  }
  return reachable;
}

/** Returns all transitive dependencies of `names`; the names themselves only when they are among them. */
export function findUpstream(nodes: readonly GraphNode[], names: Iterable<string>): Set<string> {
  const depends = new Map(nodes.map((node) => [node.name, node.depends]));
  const reachable = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const dependency of depends.get(name) ?? []) {
      if (reachable.has(dependency)) continue;
      reachable.add(dependency);
      open.push(dependency);
    }
  }
  return reachable;
}

/** A part of a workflow: some steps by name, or one step with all of its dependencies. */
export type StepSelection = { readonly steps: readonly string[] } | { readonly upTo: string };

/**
 * Returns the names of the selected steps, in file order.
 * @throws `not_found` for an unknown step
 */
export function selectedNames(
  { name, steps }: Pick<Workflow, 'name' | 'steps'>,
  selection: StepSelection,
): string[] {
  const requested = 'upTo' in selection ? [selection.upTo] : selection.steps;
  const known = new Set(steps.map((step) => step.name));
  const unknown = requested.find((step) => !known.has(step));
  if (unknown !== undefined) throw unknownStep(name, unknown, [...known]);
  const selected = new Set(requested);
  if ('upTo' in selection) for (const step of findUpstream(steps, requested)) selected.add(step);
  return steps.map((step) => step.name).filter((step) => selected.has(step));
}

/**
 * Returns the workflow reduced to these steps: indirect dependencies between them become direct ones. Handlers and
 * mails, which concern the whole workflow, are left out.
 */
export function selectSteps(workflow: Workflow, names: readonly string[]): Workflow {
  const selected = new Set(names);
  const depends = reconnect(workflow.steps, selected);
  const steps = workflow.steps
    .filter(({ name }) => selected.has(name))
    .map((step): Step => ({ ...step, depends: depends.get(step.name)!, mailOnError: undefined }));
  return {
    ...workflow,
    steps,
    handlers: {},
    inheritedHandlers: undefined,
    mailOn: undefined,
    notify: undefined,
  };
}

/** Returns the selected steps that each step depends on. */
function reconnect(steps: readonly Step[], selected: ReadonlySet<string>): Map<string, string[]> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const depends = new Map<string, string[]>();
  for (const name of orderTopologically(steps)) {
    const matched = byName
      .get(name)!
      .depends.flatMap((dependency) => (selected.has(dependency) ? [dependency] : depends.get(dependency)!));
    depends.set(name, [...new Set(matched)]);
  }
  return depends;
}

function unknownStep(dag: string, step: string, names: readonly string[]): AppError {
  const nearest = findNearest(step, names);
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new AppError('not_found', `${dag} has no step "${step}".${suggestion}`);
}
