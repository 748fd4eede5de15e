import { useMemo, useState } from 'react';
import {
  type OutlineStep,
  type OutlineDocument,
  getDiagnostics,
  toNodeRef,
} from '../../../core/edit/outline.ts';
import type { Step } from '../../../core/model/step.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { pluralize } from '../../../core/base/text.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Diagnostic } from '../../../core/model/diagnostic.ts';
import { executorAliases } from '../../../core/model/step-types.ts';
import { kindNames, type ActionKind } from '../../format/labels.ts';
import { markCycles, nodeId, type GraphModel, type GraphNode } from '../../graph/build-graph.ts';
import { useSessionView } from '../session/panel-state.ts';
import { badgesFromSettings, listBadges, type StepBadge } from './step-badges.ts';

/** The parsed steps and handlers of an outline. */
export interface ParsedSpecs {
  /** @param index position of the step or handler in the outline */
  readonly getSpec: (step: OutlineStep, index: number) => Step | undefined;
  /** Whether the specs belong to the drawn version of the text; older specs may be out of date. */
  readonly isNewest: boolean;
}

/**
 * Finds the parsed steps. In a text without errors, they match the outline by position; those of an earlier
 * version are matched by name.
 */
function findSpecs({ workflow, analysis }: Pick<CanvasGraphInputs, 'workflow' | 'analysis'>): ParsedSpecs {
  let byName: ReadonlyMap<string, Step> | undefined;
  return {
    isNewest: workflow !== undefined && analysis.workflows.includes(workflow),
    getSpec({ section, name }, index) {
      if (section === 'handler') return workflow?.handlers[name as keyof Workflow['handlers']];
      const beside = workflow?.steps[index];
      if (beside?.name === name) return beside;
      byName ??= new Map(workflow?.steps.map((step) => [step.name, step]));
      return byName.get(name);
    },
  };
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((one, index) => one === b[index]));

const isSame = (a: CanvasNode, b: CanvasNode): boolean =>
  a.kind === b.kind &&
  a.detail === b.detail &&
  a.ordinal === b.ordinal &&
  a.group === b.group &&
  a.ref.document === b.ref.document &&
  isSameList(a.depends, b.depends) &&
  a.severity === b.severity &&
  isSameList(a.problems, b.problems) &&
  isSameList(a.traits, b.traits);

/** Whether two steps differ only in their position in the text. Lists and details are compared by identity. */
const isOnlyMoved = (before: OutlineStep, now: OutlineStep): boolean =>
  before === now ||
  (before.name === now.name &&
    before.kind === now.kind &&
    before.detail === now.detail &&
    before.depends === now.depends &&
    before.settings === now.settings &&
    before.group === now.group &&
    before.document === now.document);

/** Reusable nodes of an earlier graph. */
export interface ReusableNodes {
  /** Returns the node of a step or handler about which nothing has changed, without building it. */
  readonly unchanged: (step: OutlineStep, index: number, known: StepInfo) => CanvasNode | undefined;
  /** Returns an existing node that looks the same. */
  readonly alike: (node: CanvasNode) => CanvasNode | undefined;
}

function reuseNodes({ document, graph, ...sources }: BuiltGraph): ReusableNodes {
  const earlier = findSpecs(sources);
  return {
    unchanged(step, index, { spec, isNewest, diagnostics }) {
      if (step.section !== 'step' || diagnostics.length > 0 || isNewest !== earlier.isNewest)
        return undefined;
      const [before, node] = [document.steps[index], graph.steps[index]];
      const isKnown =
        node?.name === step.name &&
        node.problems.length === 0 &&
        before !== undefined &&
        isOnlyMoved(before, step) &&
        earlier.getSpec(before, index) === spec;
      return isKnown ? node : undefined;
    },
    alike(node) {
      const before = graph.byId.get(node.id);
      return before && isSame(before, node) ? before : undefined;
    },
  };
}

/** Whether the dependencies are the same as in another graph, so that the lines can be reused. */
const hasSameDependencies = (before: readonly CanvasNode[], now: readonly CanvasNode[]): boolean =>
  before.length === now.length &&
  now.every((node, index) => {
    const other = before[index]!;
    return node === other || (node.id === other.id && isSameList(node.depends, other.depends));
  });

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
  /** Whether it is the main workflow of the file, which triggers start. */
  readonly isMain: boolean;
  readonly steps: readonly CanvasNode[];
  readonly handlers: readonly CanvasNode[];
  readonly byId: ReadonlyMap<string, CanvasNode>;
  /** Number of steps and handlers. */
  readonly total: number;
}

/** The inputs of a graph. */
interface CanvasGraphInputs {
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
  const { getSpec, isNewest } = findSpecs(sources);
  const reuse = before && reuseNodes(before);
  const make = (step: OutlineStep, index: number): CanvasNode => {
    const spec = getSpec(step, index);
    const diagnostics = analysis.diagnostics.length === 0 ? nothing : getDiagnostics(analysis, step);
    const known = { spec, isNewest, diagnostics };
    const ordinal = step.section === 'step' ? index + 1 : document.steps.length + index + 1;
    const same = reuse?.unchanged(step, index, known);
    if (same?.ordinal === ordinal) return same;
    const node = toCanvasNode(step, ordinal, known);
    return reuse?.alike(node) ?? node;
  };
  const byId = new Map<string, CanvasNode>();
  const keep = (node: CanvasNode): boolean => !byId.has(node.id) && byId.set(node.id, node).size > 0;
  const steps = document.steps.map(make).filter(keep);
  const handlers = document.handlers.map(make).filter(keep);
  const edges =
    before && hasSameDependencies(before.graph.steps, steps) ? before.graph.edges : listEdges(steps, byId);
  const [main = document] = analysis.outline.documents;
  const isMain = document.index === main.index;
  return { type: document.type, isMain, steps, handlers, edges, byId, total: steps.length + handlers.length };
}

const listEdges = (
  steps: readonly CanvasNode[],
  byId: ReadonlyMap<string, CanvasNode>,
): CanvasGraph['edges'] =>
  markCycles(
    steps,
    steps.flatMap(({ id, name, depends }) =>
      [...new Set(depends)]
        .filter((source) => byId.has(nodeId('step', source)))
        .map((source) => ({ id: `${source}\n${name}`, source: nodeId('step', source), target: id })),
    ),
  );

/** Information about a step in addition to its outline. */
interface StepInfo {
  readonly spec: Step | undefined;
  /** Whether the spec belongs to the drawn version of the text. */
  readonly isNewest: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function toCanvasNode(
  step: OutlineStep,
  ordinal: number,
  { spec, isNewest, diagnostics }: StepInfo,
): CanvasNode {
  const { section, name, detail, depends, group } = step;
  const kind = toActionKind(step.kind);
  const badges = spec && isNewest ? listBadges(spec) : step.settings ? badgesFromSettings(step.settings) : [];
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

/** The drawn workflow, and the document that it comes from. */
export interface DrawnWorkflow {
  readonly graph: CanvasGraph;
  readonly document: OutlineDocument;
  /** The current text is not valid YAML: this is the last valid version. */
  readonly isBehind: boolean;
}

/**
 * Returns the last valid version of a workflow of the file; undefined before there is one.
 * @param index index of its document; the main workflow when undefined
 */
export function useCanvasGraph(index: number | undefined): DrawnWorkflow | undefined {
  const analysis = useSessionView((view) => view.analysis);
  const valid = useSessionView((view) => view.validAnalysis);
  const readable = useSessionView((view) => view.outlined);
  const document = readable && pickDocument(readable, index);
  const workflow = valid && document && pickWorkflow(valid, document);
  const graph = useBuiltGraph(readable && document && { document, workflow, analysis: readable });
  return useMemo(
    () => graph && document && { graph, document, isBehind: readable !== analysis },
    [graph, document, readable, analysis],
  );
}

const emptyDocument: OutlineDocument = {
  ...{ index: 0, from: 0, to: 0, type: 'chain', stepsForm: 'none' },
  ...{ steps: [], handlers: [] },
};

const pickDocument = ({ outline }: Analysis, index: number | undefined): OutlineDocument =>
  outline.documents.find((one) => index === undefined || one.index === index) ??
  outline.documents[0] ??
  emptyDocument;

function pickWorkflow(
  { workflows, outline }: Analysis,
  { index, name }: OutlineDocument,
): Workflow | undefined {
  const documentIndex = outline.documents.findIndex((one) => one.index === index);
  return documentIndex <= 0
    ? workflows[0]
    : (workflows.find((one) => one.name === name) ?? workflows[documentIndex]);
}

/** Keeps the previous graph while there is nothing to build one from. */
function useBuiltGraph(sources: CanvasGraphInputs | undefined): CanvasGraph | undefined {
  const [built, setBuilt] = useState<BuiltGraph>();
  const isBuilt =
    built?.document === sources?.document &&
    built?.workflow === sources?.workflow &&
    built?.analysis === sources?.analysis;
  if (!sources || isBuilt) return built?.graph;
  const graph = buildCanvasGraph(sources, built);
  // State from the previous render, set during render as React documents for derived state.
  setBuilt({ ...sources, graph });
  return graph;
}
