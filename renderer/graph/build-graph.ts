import { Position } from 'reactflow';
import type { Step } from '../../core/model/step.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { findCycles, type GraphNode as Dependent } from '../../core/spec/plan/graph.ts';
import { handlerNames } from '../../core/model/workflow-rules.ts';
import { formatAction, toActionKind, nameAction } from '../format/labels.ts';
import { formatLimit } from '../format/values.ts';
import type { Direction } from './compute-layout.ts';
import type { CardText } from './step-card.tsx';

/** Returns the sides of a card for incoming and outgoing lines. */
export const handleSidesFor = (direction: Direction) =>
  direction === 'RIGHT'
    ? { target: Position.Left, source: Position.Right }
    : { target: Position.Top, source: Position.Bottom };

/** A step or handler in the graph. It does not change during a run. */
export interface GraphNode extends CardText {
  /** Created by {@link nodeId}. */
  readonly id: string;
  readonly section: 'step' | 'handler';
  /** Conditions, retries and limits, for the tooltip and the badges. */
  readonly traits: readonly string[];
  readonly depends: readonly string[];
  /** 1-based position among all nodes. */
  readonly ordinal: number;
  /** In pixels at 100%. Default: the card size. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** A dependency, drawn as a line from the step that runs first. */
export interface GraphEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Whether it is part of a dependency cycle. */
  readonly isInCycle?: true;
}

export interface GraphModel {
  readonly steps: readonly GraphNode[];
  readonly handlers: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Returns a key for a step or handler; a step may have the same name as a handler. */
export const nodeId = (section: 'step' | 'handler', name: string): string => `${section}:${name}`;

/** Builds the graph of a workflow. Dependencies on unknown steps are omitted. */
export function buildGraph(workflow: Workflow): GraphModel {
  const steps = workflow.steps.map((step, index) => toGraphNode(step, 'step', index + 1));
  const known = new Set(workflow.steps.map(({ name }) => name));
  const handlers = handlerNames
    .map((name) => workflow.handlers[name])
    .filter((step) => step !== undefined)
    .map((step, index) => toGraphNode(step, 'handler', steps.length + index + 1));
  const edges = workflow.steps.flatMap((step) =>
    step.depends
      .filter((name) => known.has(name))
      .map((name) => ({
        id: `${name}\n${step.name}`,
        source: nodeId('step', name),
        target: nodeId('step', step.name),
      })),
  );
  return { steps, handlers, edges: markCycles(workflow.steps, edges) };
}

/** Marks the edges that are part of a dependency cycle. */
export function markCycles(steps: readonly Dependent[], edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const cycles = findCycles(steps);
  if (cycles.size === 0) return edges;
  const cycleOf = new Map(Array.from(cycles, ([name, cycle]) => [nodeId('step', name), cycle]));
  return edges.map((edge) => {
    const cycle = cycleOf.get(edge.source);
    return cycle !== undefined && cycle === cycleOf.get(edge.target) ? { ...edge, isInCycle: true } : edge;
  });
}

function toGraphNode(step: Step, section: GraphNode['section'], ordinal: number): GraphNode {
  const does = formatAction(step.action);
  return {
    id: nodeId(section, step.name),
    section,
    name: step.name,
    kind: toActionKind(step.action),
    detail: step.description ?? (does || nameAction(step.action)),
    isProse: step.description !== undefined || does === '',
    traits: listTraits(step),
    depends: step.depends,
    ordinal,
  };
}

function listTraits(step: Step): string[] {
  const traits: string[] = [];
  if (step.retry) traits.push(`retries ${formatLimit(step.retry.limit)}, ${step.retry.intervalSec} s apart`);
  if (step.parallel) traits.push(`runs once for each item, ${step.parallel.maxConcurrent} at a time`);
  if (step.preconditions.length > 0) traits.push('runs only if its conditions are met');
  if (step.continueOn.failure) traits.push('continues on failure');
  if (step.timeoutSec !== undefined) traits.push(`timeout ${step.timeoutSec} s`);
  if (step.output !== undefined) traits.push(`saves output as ${step.output}`);
  return traits;
}
