import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../../app/paths.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import type { CanvasNode } from '../model/canvas-graph.ts';

/** A workflow of the file on the way to the one shown. */
export interface Crumb {
  /** Index of its document; undefined for the main workflow. */
  readonly index: number | undefined;
  readonly label: string;
}

/** Which workflow of the file is shown, and how one came there. */
export function useDrillingState() {
  const session = useEditorSession();
  const [, navigate] = useLocation();
  const [crumbs, setCrumbs] = useState<readonly Crumb[]>([]);
  const documents = useSessionView((view) => view.analysis?.outline.documents);
  // A workflow that the text no longer has cannot be shown.
  const known = useMemo(
    () =>
      crumbs.filter(({ index }) => documents === undefined || documents.some((one) => one.index === index)),
    [crumbs, documents],
  );
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
      if (inside) return () => setCrumbs((before) => [...before, { index: inside.index, label: name }]);
      if (name === main?.name || name === session.fileName) return () => setCrumbs([]);
      return () => navigate(paths.editor(name.replace(/\.ya?ml$/, '')));
    },
    [session, navigate],
  );
  const leaveTo = useCallback((place: number) => setCrumbs((before) => before.slice(0, place)), []);
  return { index: trail.at(-1)?.index, trail, findWay, leaveTo };
}
