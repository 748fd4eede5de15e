import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DagDetailView } from '../../../../core/contract/dags.ts';
import type { Direction } from '../../../graph/layout/layout-input.ts';
import { useBridge } from '../../../api/bridge.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import type { DrawnWorkflow } from '../model/use-canvas-graph.ts';
import { useCanvasState } from '../state/canvas-store.ts';
import { knowEdited, knowSaved, listRuns, type KnownFiles } from './known-file.ts';
import { resolveFolds, reuseFolds, type Fold } from './resolve-folds.ts';

/** By the ids of the nodes of steps that run workflows. */
export type Folds = ReadonlyMap<string, Fold>;

const noFolds: Folds = new Map();

/** How the steps of the drawn workflow that run others are drawn. Other files are read as soon as they are named. */
export function useFolds(drawn: DrawnWorkflow | undefined, direction: Direction | undefined): Folds {
  const { fileName } = useEditorSession();
  const analysis = useSessionView((view) => view.outlined);
  const open = useCanvasState((state) => state.open);
  const [names, setNames] = useState<readonly string[]>([]);
  const saved = useSavedFiles(names);
  const resolved = useMemo(() => {
    const toRead = new Set<string>();
    if (!analysis || !drawn) return { folds: noFolds, toRead };
    const file = knowEdited(fileName, analysis);
    const files: KnownFiles = new Map([...saved, [fileName, file]]);
    const shown = analysis.outline.documents.findIndex(({ index }) => index === drawn.document.index);
    const chain = [file.workflows[Math.max(shown, 0)]?.identity ?? fileName];
    const request = { files, open, toRead, direction: direction ?? 'RIGHT' };
    return { folds: resolveFolds(listRuns(drawn.document), { file, chain, prefix: '' }, request), toRead };
  }, [analysis, drawn, fileName, saved, open, direction]);
  const [kept, setKept] = useState(noFolds);
  const folds = reuseFolds(kept, resolved.folds);
  // States of the rendering before, as React has them for what is derived from what came before.
  if (folds !== kept) setKept(folds);
  const unread = [...resolved.toRead].filter((name) => !names.includes(name));
  if (unread.length > 0) setNames([...names, ...unread]);
  return folds;
}

/** How often it is looked whether a file that is missing has come. */
const lookAgainMs = 10_000;
/** Of one page; where there are more, a name that is not on it may be a file all the same. */
const mostDags = 1000;

/** Those that have been read; one that cannot be had is as good as missing. */
function useSavedFiles(names: readonly string[]): KnownFiles {
  const bridge = useBridge();
  // Asking for a file that there is not would be an error in the browser's log.
  const { data: listed } = useQuery({
    queryKey: ['workflow-files'],
    queryFn: async () => {
      const { dags, nextCursor } = await bridge.call('dags.list', { limit: mostDags });
      return { fileNames: dags.map(({ fileName }) => fileName), isWhole: nextCursor === undefined };
    },
    enabled: names.length > 0,
    refetchInterval: ({ state }) =>
      names.every((name) => state.data?.fileNames.includes(name)) ? false : lookAgainMs,
  });
  const wanted = useMemo(
    () => names.filter((name) => listed && (!listed.isWhole || listed.fileNames.includes(name))),
    [names, listed],
  );
  const combine = useMemo(() => combineFiles(wanted), [wanted]);
  const read = useQueries({
    queries: wanted.map((fileName) => ({
      queryKey: queryKeys.dag(fileName),
      queryFn: () => bridge.call('dags.get', { fileName }),
      retry: false,
    })),
    combine,
  });
  return useMemo(() => {
    const missing = listed?.isWhole ? names.filter((name) => !listed.fileNames.includes(name)) : [];
    return new Map([...missing.map((name) => [name, null] as const), ...read]);
  }, [listed, names, read]);
}

const combineFiles =
  (names: readonly string[]) =>
  (results: readonly UseQueryResult<DagDetailView>[]): KnownFiles =>
    new Map(
      results.flatMap(({ data, isError }, index) =>
        data || isError ? [[names[index]!, data ? knowSaved(data) : null] as const] : [],
      ),
    );
