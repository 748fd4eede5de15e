import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState, useEffect } from 'react';
import { createStore, useStore } from 'zustand';
import type { DagDetailView } from '../../../core/contract/dags.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import { useBridge } from '../../api/bridge.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { nodeId } from '../../graph/build-graph.ts';
import { useExistingFiles, useEditorSession, useSessionView } from '../session/panel-state.ts';
import type { DrawnWorkflow, CanvasGraph } from './canvas-graph.ts';
import { useCanvasState } from './canvas-store.ts';
import {
  indexEditedFile,
  indexSavedFile,
  listRuns,
  type FileIndex,
  resolveFolds,
  reuseFolds,
  type Fold,
} from './resolve-folds.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { FoldTarget } from './view-actions.ts';
import { listGroups } from './flow-elements.ts';
import { foldMenuLabel } from './menu-items.ts';

/** By node id, for steps that run workflows. */
export type SubWorkflowFolds = ReadonlyMap<string, Fold>;

const noFolds: SubWorkflowFolds = new Map();

/**
 * Resolves how the steps that run workflows are drawn. Other files are loaded as soon as they are referenced.
 */
export function useFolds(
  drawn: DrawnWorkflow | undefined,
  direction: Direction | undefined,
): SubWorkflowFolds {
  const { fileName } = useEditorSession();
  const analysis = useSessionView((view) => view.outlined);
  const open = useCanvasState((state) => state.open);
  const [names, setNames] = useState<readonly string[]>([]);
  const saved = useSavedFiles(names);
  const resolved = useMemo(() => {
    const toRead = new Set<string>();
    if (!analysis || !drawn) return { folds: noFolds, toRead };
    const file = indexEditedFile(fileName, analysis);
    const files: FileIndex = new Map([...saved, [fileName, file]]);
    const shown = analysis.outline.documents.findIndex(({ index }) => index === drawn.document.index);
    const chain = [file.workflows[Math.max(shown, 0)]?.identity ?? fileName];
    const request = { files, open, toRead, direction: direction ?? 'RIGHT' };
    return { folds: resolveFolds(listRuns(drawn.document), { file, chain, prefix: '' }, request), toRead };
  }, [analysis, drawn, fileName, saved, open, direction]);
  const [stableFolds, setStableFolds] = useState(noFolds);
  const folds = reuseFolds(stableFolds, resolved.folds);
  // State from the previous render, set during render as React documents for derived state.
  if (folds !== stableFolds) setStableFolds(folds);
  const unread = [...resolved.toRead].filter((name) => !names.includes(name));
  if (unread.length > 0) setNames([...names, ...unread]);
  return folds;
}

/** Returns the loaded files; a file that cannot be loaded counts as missing. */
function useSavedFiles(names: readonly string[]): FileIndex {
  const bridge = useBridge();
  const { there, missing } = useExistingFiles(names);
  const combine = useMemo(() => combineFiles(there), [there]);
  const read = useQueries({
    queries: there.map((fileName) => ({
      queryKey: queryKeys.dag(fileName),
      queryFn: () => bridge.call('dags.get', { fileName }),
      retry: false,
    })),
    combine,
  });
  return useMemo(() => new Map([...missing.map((name) => [name, null] as const), ...read]), [missing, read]);
}

const combineFiles =
  (names: readonly string[]) =>
  (results: readonly UseQueryResult<DagDetailView>[]): FileIndex =>
    new Map(
      results.flatMap(({ data, isError }, index) =>
        data || isError ? [[names[index]!, data ? indexSavedFile(data) : null] as const] : [],
      ),
    );

interface Folding {
  /** Labels of the fold actions, by node id; only for nodes that can be folded. */
  readonly labels: ReadonlyMap<string, string>;
  /** Document index of the workflow on the canvas; undefined for the main one. */
  readonly document: number | undefined;
  readonly toggle: (ref: NodeRef) => void;
}

const nothing: Folding = { labels: new Map(), document: undefined, toggle: () => undefined };

/** Fold actions of the visible canvas, for the other views. */
const port = createStore<Folding>(() => nothing);

interface Publisher {
  readonly graph: CanvasGraph;
  readonly folds: SubWorkflowFolds;
  readonly actions: CanvasActions;
  readonly document: number | undefined;
}

/** Lets other views fold parts of the canvas while it is mounted. */
export function useFoldingRegistration({ graph, folds, actions, document }: Publisher): void {
  const folded = useCanvasState((state) => state.folded);
  useEffect(() => {
    const labels = new Map<string, string>();
    const notify = (id: string, found: FoldTarget): void => {
      const label = foldMenuLabel(found)?.label;
      if (label !== undefined) labels.set(id, label);
    };
    for (const { key, members } of listGroups(graph))
      for (const { id } of members) notify(id, { kind: 'group', key, isFolded: folded.has(key) });
    for (const [id, fold] of folds) notify(id, { kind: 'workflow', fold });
    port.setState({ labels, document, toggle: (ref) => actions.folding.toggleAt([ref]) });
  }, [graph, folds, folded, actions, document]);
  useEffect(() => () => port.setState(nothing), []);
}

/** Returns the label and the action of folding at a step. */
export function useFolding(
  ref: NodeRef,
): { readonly label: string; readonly toggle: () => void } | undefined {
  const label = useStore(port, ({ labels, document }) =>
    document === ref.document ? labels.get(nodeId(ref.section, ref.name)) : undefined,
  );
  return label === undefined ? undefined : { label, toggle: () => port.getState().toggle(ref) };
}
