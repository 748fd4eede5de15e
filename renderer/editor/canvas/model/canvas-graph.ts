import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { OutlineDocument, OutlineStep } from '../../../../core/edit/outline.ts';
import { diagnosticsOf } from '../../../../core/edit/outline/diagnostic-place.ts';
import { toNodeRef } from '../../../../core/edit/outline/look-up.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { Step } from '../../../../core/model/workflow/step.ts';
import type { Workflow } from '../../../../core/model/workflow/workflow.ts';
import { executorAliases } from '../../../../core/model/executors/executor-type.ts';
import { kindNames, type ActionKind } from '../../../format/step-action.ts';
import { nodeId, type GraphModel, type GraphNode } from '../../../graph/build-graph.ts';
import { badgesFromSettings } from './settings-badges.ts';
import { findSpecs } from './find-specs.ts';
import { hasSameDependencies, reuseNodes } from './reuse-nodes.ts';
import { listBadges, type StepBadge } from './step-badges.ts';

/** A step or handler as shown in the editor. */
export interface CanvasNode extends GraphNode {
  readonly ref: NodeRef;
  readonly badges: readonly StepBadge[];
  /** Messages of its problems. */
  readonly problems: readonly string[];
  /** The highest severity of its problems. */
  readonly severity: Diagnostic['severity'] | undefined;
  /** Index of its nested list in a sequential workflow. */
  readonly group: number | undefined;
}

/**
 * The graph drawn on the canvas. It exists whenever the text is valid YAML, even if the workflow has other
 * errors.
 */
export interface CanvasGraph extends GraphModel {
  readonly type: 'chain' | 'graph';
  readonly steps: readonly CanvasNode[];
  readonly handlers: readonly CanvasNode[];
  readonly byId: ReadonlyMap<string, CanvasNode>;
  /** Number of steps and handlers. */
  readonly total: number;
}

/** The inputs of a graph. */
export interface CanvasGraphInputs {
  readonly document: OutlineDocument;
  /**
   * The last version without errors. Conditions, retries and limits are read from it while it is the latest.
   */
  readonly workflow: Workflow | undefined;
  readonly analysis: Analysis;
}

/** A graph with its inputs. */
export interface BuiltGraph extends CanvasGraphInputs {
  readonly graph: CanvasGraph;
}

const nothing: readonly Diagnostic[] = [];

/**
 * Builds the graph. Dependencies on unknown steps, and those that a duplicate name would add, are omitted.
 * @param before the previous graph; its unchanged objects are reused, so that they are not rendered again
 */
export function buildCanvasGraph(sources: CanvasGraphInputs, before?: BuiltGraph): CanvasGraph {
  const { document, analysis } = sources;
  const { specOf, isNewest } = findSpecs(sources);
  const reuse = before && reuseNodes(before);
  const make = (step: OutlineStep, index: number): CanvasNode => {
    const spec = specOf(step, index);
    const diagnostics = analysis.diagnostics.length === 0 ? nothing : diagnosticsOf(analysis, step);
    const known = { spec, isNewest, diagnostics };
    const ordinal = step.section === 'step' ? index + 1 : document.steps.length + index + 1;
    const same = reuse?.unchanged(step, index, known);
    if (same?.ordinal === ordinal) return same;
    const node = describe(step, ordinal, known);
    return reuse?.alike(node) ?? node;
  };
  const byId = new Map<string, CanvasNode>();
  const keep = (node: CanvasNode): boolean => !byId.has(node.id) && byId.set(node.id, node).size > 0;
  const steps = document.steps.map(make).filter(keep);
  const handlers = document.handlers.map(make).filter(keep);
  const edges =
    before && hasSameDependencies(before.graph.steps, steps) ? before.graph.edges : listEdges(steps, byId);
  return { type: document.type, steps, handlers, edges, byId, total: steps.length + handlers.length };
}

const listEdges = (
  steps: readonly CanvasNode[],
  byId: ReadonlyMap<string, CanvasNode>,
): CanvasGraph['edges'] =>
  steps.flatMap(({ id, name, depends }) =>
    [...new Set(depends)]
      .filter((source) => byId.has(nodeId('step', source)))
      .map((source) => ({ id: `${source}\n${name}`, source: nodeId('step', source), target: id })),
  );

/** Information about a step in addition to its outline. */
export interface StepInfo {
  readonly spec: Step | undefined;
  /** Whether the spec belongs to the drawn version of the text. */
  readonly isNewest: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function describe(step: OutlineStep, ordinal: number, { spec, isNewest, diagnostics }: StepInfo): CanvasNode {
  const { section, name, detail, depends, group } = step;
  const kind = toActionKind(step.kind);
  const badges = spec && isNewest ? listBadges(spec) : step.facts ? badgesFromSettings(step.facts) : [];
  return {
    id: nodeId(section, name),
    ref: toNodeRef(step),
    section,
    name,
    kind,
    detail: detail || spec?.description || kindNames[kind],
    isProse: detail === '',
    traits: badges.map(({ words }) => words),
    badges,
    problems: diagnostics.map(({ message }) => message),
    severity: diagnostics.some(({ severity }) => severity === 'error') ? 'error' : diagnostics[0]?.severity,
    depends: depends.filter((one) => one !== ''),
    ordinal,
    group,
  };
}

function toActionKind(kind: string): ActionKind {
  const known = executorAliases[kind] ?? kind;
  return known in kindNames ? (known as ActionKind) : 'command';
}

/** Returns the accessible name of a node: `step build, script, waits for fetch, 2 of 40`. */
export function nameNode(node: CanvasNode, total: number): string {
  const labels = [`${node.section} ${node.name}`, kindNames[node.kind].toLowerCase()];
  if (node.problems.length > 0) labels.push(pluralize(node.problems.length, 'problem'));
  if (node.depends.length > 0) labels.push(`depends on ${node.depends.join(' and ')}`);
  labels.push(`${node.ordinal} of ${total}`);
  return labels.join(', ');
}
