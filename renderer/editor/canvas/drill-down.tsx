import { createContext, useContext, useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { ChevronRight } from 'lucide-react';
import { paths } from '../../navigation/address.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import type { CanvasNode } from './canvas-graph.ts';
import styles from './overlays.module.css';

/** Navigation into sub-workflows. */
export interface DrillDown {
  /**
   * Returns an action that opens the workflow that a step runs, in the same file or another one; undefined for
   * other steps.
   */
  findWay(node: CanvasNode): (() => void) | undefined;
}

const DrillDownContext = createContext<DrillDown>({ findWay: () => undefined });
export const DrillDownProvider = DrillDownContext.Provider;

export const useDrillDown = (): DrillDown => useContext(DrillDownContext);

/** A workflow on the path to the shown one. */
interface Crumb {
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

interface BreadcrumbsProps {
  readonly trail: readonly Crumb[];
  /** @param crumbIndex number of steps from the main workflow */
  readonly onChoose: (crumbIndex: number) => void;
}

/** Path from the main workflow to the shown one; renders nothing for the main workflow. */
export function Breadcrumbs({ trail, onChoose }: BreadcrumbsProps) {
  if (trail.length < 2) return null;
  return (
    <nav className={styles.crumbs} data-crumbs="" aria-label="Workflows in this file">
      <ol>
        {trail.map(({ label }, crumbIndex) => (
          <li key={`${crumbIndex}${label}`}>
            {crumbIndex > 0 && <ChevronRight size={14} aria-hidden="true" />}
            {crumbIndex === trail.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              <button type="button" onClick={() => onChoose(crumbIndex)}>
                {label}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
