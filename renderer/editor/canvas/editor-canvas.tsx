import { FileWarning } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ReactFlowProvider } from 'reactflow';
import { createCanvasStore, CanvasStoreProvider } from './state/canvas-store.ts';
import { TestStoreProvider } from '../run/test-store.ts';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import { useCanvasGraph, type DrawnWorkflow } from './model/use-canvas-graph.ts';
import { useLayoutFile } from './places/use-layout-file.ts';
import { Breadcrumbs } from './sub-workflow/breadcrumbs.tsx';
import { DrillDownProvider } from './sub-workflow/drill-down.ts';
import { useDrillDownState } from './sub-workflow/use-drill-down-state.ts';
import { CanvasSurface } from './canvas-surface.tsx';
import styles from './canvas.module.css';

/** The editable workflow graph, drawn from the latest version of the text that is valid YAML. */
export function EditorCanvas() {
  const drill = useDrillDownState();
  const drawn = useCanvasGraph(drill.index);
  const drilling = useMemo(() => ({ findWay: drill.findWay }), [drill.findWay]);
  if (!drawn) return <NothingToDraw />;
  return (
    <DrillDownProvider value={drilling}>
      <div className={styles.frame}>
        <Breadcrumbs trail={drill.trail} onChoose={drill.leaveTo} />
        {drill.index === undefined ? (
          <DocumentCanvas key="main" drawn={drawn} document={undefined} />
        ) : (
          // The shown run is always a run of the main workflow.
          <TestStoreProvider value={undefined}>
            <DocumentCanvas key={drill.index} drawn={drawn} document={drill.index} />
          </TestStoreProvider>
        )}
      </div>
    </DrillDownProvider>
  );
}

/** Shown before the first analysis, or while the text (for example a draft) has never been valid YAML. */
function NothingToDraw() {
  const isRead = useSessionView((view) => view.analysis !== undefined);
  if (!isRead) return <div className={styles.frame} role="status" aria-label="Loading the workflow" />;
  return (
    <div className={styles.frame}>
      <EmptyState icon={FileWarning} title="Invalid YAML">
        <p>Fix the error in the code to see the steps.</p>
      </EmptyState>
    </div>
  );
}

interface DocumentCanvasProps {
  readonly drawn: DrawnWorkflow;
  /** Index of the document of a further workflow in the file; undefined for the main workflow. */
  readonly document: number | undefined;
}

/** The canvas of one workflow of the file; remounted when the workflow changes. */
function DocumentCanvas({ drawn, document }: DocumentCanvasProps) {
  const { fileName } = useEditorSession();
  const [store] = useState(createCanvasStore);
  const file = useLayoutFile(fileName, document === undefined ? undefined : drawn.document.name);
  return (
    <CanvasStoreProvider value={store}>
      <ReactFlowProvider>
        <CanvasSurface drawn={drawn} document={document} file={file} />
      </ReactFlowProvider>
    </CanvasStoreProvider>
  );
}
