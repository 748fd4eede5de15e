import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useReactFlow } from 'reactflow';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { useEditorCommands } from '../page/editor-commands.ts';
import { PalettePane } from '../palette/palette-pane.tsx';
import { useEditorSession } from '../session/use-session.ts';
import { CanvasActionsProvider, createCanvasActions } from './commands/canvas-actions.ts';
import { createPortsRef, type CanvasPorts } from './commands/canvas-ports.ts';
import { stepCommands } from './commands/step-commands.ts';
import { CanvasFlow } from './flow/canvas-flow.tsx';
import { CanvasNotice, CanvasAnnouncer } from './flow/canvas-notice.tsx';
import { useSnippetTarget } from './flow/use-snippet-target.ts';
import { useCanvasKeys, useHelpKey } from './keys/use-canvas-keys.ts';
import { useClipboard } from './keys/use-clipboard.ts';
import type { DrawnWorkflow } from './model/use-canvas-graph.ts';
import { CanvasOverlays } from './overlay/overlays.tsx';
import { usePalette } from './overlay/use-palette.ts';
import type { LayoutFile } from './places/use-layout-file.ts';
import { useCardPositions, type CardPositions } from './places/use-places.ts';
import type { Direction } from '../../graph/layout/layout-input.ts';
import { useFolds } from './sub-workflow/use-folds.ts';
import { CanvasSearch } from './search/canvas-search.tsx';
import { useCanvasState, useCanvasStore } from './state/canvas-store.ts';
import { useFoldingRegistration } from './state/folding-port.ts';
import { useCanvasSelection } from './state/use-canvas-selection.ts';
import styles from './canvas.module.css';

interface CanvasSurfaceProps {
  readonly drawn: DrawnWorkflow;
  readonly document: number | undefined;
  readonly file: LayoutFile;
}

/** The step palette, the graph and the overlays above it. */
export function CanvasSurface({ drawn, document, file }: CanvasSurfaceProps) {
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
  useHelpKey(actions);
  const clipboard = useClipboard(actions, selection.refs);
  const isSearching = useCanvasState((state) => state.isSearching);
  return (
    <CanvasActionsProvider value={actions}>
      <div ref={measure} className={styles.surface}>
        {palette.isOpen && (
          <PalettePane
            target={target}
            onClose={palette.toggle}
            onChoose={(snippet) => actions.add(snippet, behindLast(selection.refs))}
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
  const steps = useMemo(() => stepCommands(session, document), [session, document]);
  const ports: CanvasPorts = {
    ...{ store, steps, graph, positions, folds, flow, box, page },
    selection: selection.refs,
    select: selection.select,
  };
  const [newest] = useState(() => createPortsRef(ports));
  useLayoutEffect(() => newest.take(ports));
  const [actions] = useState(() => createCanvasActions(newest.read));
  return { actions, selection };
}
