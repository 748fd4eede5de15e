import { useState } from 'react';
import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { isActive } from '../../format/status.ts';
import { useNow } from '../../app/clock.ts';
import { isAsking } from '../../format/asking.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { findNodeToShow, findNode } from './find-interesting.ts';

/** Minimum time that a step stays shown, in milliseconds: a log that changes with every step is unreadable. */
const minShown = 2_000;

interface VisibleNode {
  readonly node: NodeRef | undefined;
  /** Start time, in epoch milliseconds. */
  readonly since: number;
}

/**
 * Returns which step to show next when none is selected: a running step stays until it ends, any other for a
 * minimum time; a failed step or one that waits for approval is shown immediately.
 */
export function nextVisibleNode(run: RunDetailView, shown: VisibleNode, now: number): VisibleNode {
  const found = findNodeToShow(run);
  if (found?.name === shown.node?.name && found?.section === shown.node?.section) return shown;
  const current = findNode(run, shown.node);
  const next = findNode(run, found);
  const isUrgent = next !== undefined && (next.status === 'failed' || isAsking(next));
  const mayStay = isActive(run) && current !== undefined && !isUrgent;
  if (mayStay && (current.status === 'running' || now - shown.since < minShown)) return shown;
  return { node: found, since: now };
}

/** Returns the most relevant step. */
export function useNodeToShow(run: RunDetailView): NodeRef | undefined {
  const now = useNow(isActive(run));
  const [shown, show] = useState<VisibleNode>(() => ({ node: findNodeToShow(run), since: now }));
  const next = nextVisibleNode(run, shown, now);
  if (next !== shown) show(next);
  return next.node;
}
