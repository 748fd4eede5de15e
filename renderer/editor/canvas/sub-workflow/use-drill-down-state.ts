import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../../app/paths.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import type { CanvasNode } from '../model/canvas-graph.ts';

/** A workflow on the path to the shown one. */
export interface Crumb {
  /** Index of its document; undefined for the main workflow. */
  readonly index: number | undefined;
  readonly label: string;
}

/** Tracks which workflow of the file all views show, and the path to it. */
export function useDrillDownState() {
  const session = useEditorSession();
  const [, navigate] = useLocation();
  const [crumbs, setCrumbs] = useState<readonly Crumb[]>([]);
  const documents = useSessionView((view) => view.analysis?.outline.documents);
  const shown = useSessionView((view) => view.document);
  const known = useMemo(() => {
    if (shown === undefined) return [];
    const label = documents?.find(({ index }) => index === shown)?.name ?? `Workflow ${shown + 1}`;
    const crumbIndex = crumbs.findIndex(({ index }) => index === shown);
    return [...crumbs.slice(0, Math.max(crumbIndex, 0)), { index: shown, label }];
  }, [crumbs, documents, shown]);
  const trail = useMemo<readonly Crumb[]>(
    () => [{ index: undefined, label: session.fileName }, ...known],
    [known, session],
  );
  const findWay = useCallback(
    ({ kind, detail }: CanvasNode): (() => void) | undefined => {
      const name = detail.trim();
      if (kind !== 'dag' || name === '' || name.includes('$')) return undefined;
      const [main, ...others] = session.view.analysis?.outline.documents ?? [];
      const inside = others.find((document) => document.name === name);
      if (inside)
        return () => {
          setCrumbs([...known, { index: inside.index, label: name }]);
          session.selectWorkflow(inside.index, 'canvas');
        };
      if (name === main?.name || name === session.fileName)
        return () => session.selectWorkflow(undefined, 'canvas');
      return () => navigate(paths.editor(name.replace(/\.ya?ml$/, '')));
    },
    [session, navigate, known],
  );
  const leaveTo = useCallback(
    (crumbIndex: number) => session.selectWorkflow(trail[crumbIndex]?.index, 'canvas'),
    [session, trail],
  );
  return { index: shown, trail, findWay, leaveTo };
}
