import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useReactFlow, ReactFlowProvider } from 'reactflow';
import { FileWarning } from 'lucide-react';
import { pluralize } from '../../../core/base/text.ts';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import type { Direction } from '../../graph/compute-layout.ts';
import { EmptyState } from '../../ui/state.tsx';
import { useEditorCommands } from '../run/editor-commands.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import { TestStoreProvider } from '../run/test-store.ts';
import { PalettePane } from './palette-pane.tsx';
import {
  CanvasActionsProvider,
  createCanvasActions,
  useCanvasKeys,
  useShortcutHelpKey,
  useClipboard,
} from './canvas-actions.ts';
import { CanvasFlow } from './canvas-flow.tsx';
import { CanvasNotice, CanvasAnnouncer, CanvasOverlays, usePalette, CanvasSearch } from './overlays.tsx';
import { useSnippetTarget } from './drag-snippet.tsx';
import { type DrawnWorkflow, useCanvasGraph } from './canvas-graph.ts';
import { type LayoutFile, useLayoutFile } from './layout-file.ts';
import { useCardPositions, type CardPositions } from './card-positions.ts';
import { useFolds, useFoldingRegistration } from './use-folds.ts';
import {
  useCanvasState,
  useCanvasStore,
  useCanvasSelection,
  createCanvasStore,
  CanvasStoreProvider,
  createPortsRef,
  type CanvasPorts,
} from './canvas-store.ts';
import styles from './canvas.module.css';
import { Breadcrumbs, DrillDownProvider, useDrillDownState } from './drill-down.tsx';

interface CanvasSurfaceProps {
  readonly drawn: DrawnWorkflow;
  readonly document: number | undefined;
  readonly file: LayoutFile;
}

/** The step palette, the graph and the overlays above it. */
function CanvasSurface({ drawn, document, file }: CanvasSurfaceProps) {
  const { graph } = drawn;
  const store = useCanvasStore();
  const box = useRef<HTMLDivElement>(null);
  const { size, measure } = useFirstSize();
  const { folds, positions } = useDrawnPositions({ drawn, file, store, size });
  const { actions, selection } = useActions({ graph, positions, folds, document, box });
  useFoldingRegistration({ graph, folds, actions, document });
  const palette = usePalette(size?.width);
  const target = useSnippetTarget(graph, actions);
  const onKeyDown = useCanvasKeys(actions);
  useShortcutHelpKey(actions);
  const clipboard = useClipboard(actions, selection.refs);
  const isSearching = useCanvasState((state) => state.isSearching);
  return (
    <CanvasActionsProvider value={actions}>
      <div ref={measure} className={styles.surface}>
        {palette.isOpen && (
          <PalettePane
            target={target}
            onClose={palette.toggle}
            onChoose={(snippet) => void actions.add(snippet, behindLast(selection.refs))}
          />
        )}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of its focused descendants */}
        <div
          ref={box}
          className={styles.canvas}
          role="application"
          aria-label={`Graph with ${pluralize(graph.total, 'step')}`}
          aria-roledescription="canvas"
          tabIndex={-1}
          data-canvas=""
          onKeyDown={onKeyDown}
          {...clipboard}
        >
          {positions.direction !== undefined && (
            <CanvasFlow
              drawn={drawn}
              positions={positions}
              direction={positions.direction}
              folds={folds}
              selection={selection}
              box={box}
              isPaletteOpen={palette.isOpen}
              onPalette={palette.toggle}
            />
          )}
          {isSearching && (
            <CanvasSearch graph={graph} onSelect={({ ref }: { ref: NodeRef }) => selection.select([ref])} />
          )}
          <CanvasNotice />
          <CanvasAnnouncer />
        </div>
        <CanvasOverlays drawn={drawn} />
      </div>
    </CanvasActionsProvider>
  );
}

/** Returns the position after the last selected step, or the end when nothing is selected. */
function behindLast(refs: readonly NodeRef[]): { readonly after?: NodeRef } {
  const after = refs.findLast(({ section }) => section === 'step');
  return after ? { after } : {};
}

type DrawnPositionsOptions = Omit<Parameters<typeof useCardPositions>[0], 'graph' | 'folds'> & {
  readonly drawn: DrawnWorkflow;
};

/** Places the cards and makes room for sub-workflows drawn in place, along the direction of the graph. */
function useDrawnPositions({ drawn, ...options }: DrawnPositionsOptions) {
  const [direction, setDirection] = useState<Direction>();
  const folds = useFolds(drawn, direction);
  const positions = useCardPositions({ ...options, graph: drawn.graph, folds });
  if (positions.direction !== direction) setDirection(positions.direction);
  return { folds, positions };
}

/** The first measured size of the canvas; it decides the direction of the layout. */
function useFirstSize() {
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const measure = useCallback((element: HTMLElement | null) => {
    if (element) setSize((known) => known ?? { width: element.clientWidth, height: element.clientHeight });
  }, []);
  return { size, measure };
}

interface CanvasActionOptions extends Pick<CanvasPorts, 'graph' | 'folds' | 'box'> {
  readonly positions: CardPositions;
  readonly document: number | undefined;
}

/** Creates the actions once; they read the latest ports on every call, so their identity is stable. */
function useActions({ graph, positions, folds, document, box }: CanvasActionOptions) {
  const session = useEditorSession();
  const store = useCanvasStore();
  const flow = useReactFlow();
  const page = useEditorCommands();
  const selection = useCanvasSelection(graph);
  const ports: CanvasPorts = {
    ...{ store, session, document, graph, positions, folds, flow, box, page },
    selection: selection.refs,
    select: selection.select,
  };
  const [newest] = useState(() => createPortsRef(ports));
  useLayoutEffect(() => newest.take(ports));
  const [actions] = useState(() => createCanvasActions(newest.read));
  return { actions, selection };
}

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
