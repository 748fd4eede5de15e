import { useState, useEffect, useMemo, useRef } from 'react';
import { Move, X, ChevronDown, ChevronUp } from 'lucide-react';
import { Dialog, Popover } from 'react-aria-components';
import { Button, IconButton } from '../../ui/button.tsx';
import { SeverityMark } from '../../ui/status.tsx';
import { kindNames } from '../../format/labels.ts';
import overlay from '../../ui/overlay.module.css';
import { useHasRoom } from '../session/panel-state.ts';
import { useCanvasActions } from './canvas-actions.ts';
import { useCanvasState, useCanvasStore } from './canvas-store.ts';
import styles from './overlays.module.css';
import type { CanvasGraph, CanvasNode, DrawnWorkflow } from './canvas-graph.ts';
import { SnippetPicker } from './palette-pane.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { CanvasMenu } from './canvas-menu.tsx';
import { visibleExtent } from './view-actions.ts';
import { ConnectPicker, OfferButton } from './connect-picker.tsx';

const storageKey = 'stepwright.editor.palette';
/** Combined width of palette and canvas, in pixels, below which the palette starts closed. */
const roomy = 640;

/**
 * Whether the palette is open: as last chosen, or by default when there is room. In a narrow window or view,
 * where the choice is stored separately, it starts as a button.
 */
export function usePalette(width: number | undefined) {
  const isRoomy = useHasRoom('form') && width !== undefined && width >= roomy;
  const key = isRoomy ? storageKey : `${storageKey}.narrow`;
  const [chosen, setChosen] = useState<Readonly<Record<string, string | null>>>({});
  const choice = chosen[key] ?? localStorage.getItem(key);
  const isOpen = width !== undefined && (choice === null ? isRoomy : choice === 'open');
  const toggle = (): void => {
    const next = isOpen ? 'closed' : 'open';
    localStorage.setItem(key, next);
    setChosen((before) => ({ ...before, [key]: next }));
  };
  return { isOpen, toggle };
}

/** Displays what the canvas is waiting for, or why an edit was not made, with a button that offers a way out. */
export function CanvasNotice() {
  const store = useCanvasStore();
  const { applyOffer } = useCanvasActions();
  const notice = useCanvasState((state) => state.notice);
  const isMoving = useCanvasState((state) => state.isMoving);
  if (isMoving) return <MoveNotice />;
  if (!notice) return null;
  return (
    <div className={styles.notice} role="alert">
      <SeverityMark severity="error" size={16} isDecorative />
      <p>{notice.reason}</p>
      {notice.offer && <OfferButton offer={notice.offer} onPress={applyOffer} />}
      <IconButton label="Close" icon={X} size="small" onPress={() => store.setState({ notice: undefined })} />
    </div>
  );
}

function MoveNotice() {
  const store = useCanvasStore();
  const many = useCanvasState(({ selected }) => selected.size);
  return (
    <div className={styles.notice} role="status" data-moving="">
      <Move size={16} aria-hidden="true" />
      <p>{many === 1 ? 'Click to place the card.' : `Click to place the ${many} cards.`}</p>
      <Button onPress={() => store.setState({ isMoving: false })}>Cancel</Button>
    </div>
  );
}

/** Announces changes of the cards to screen readers. */
export function CanvasAnnouncer() {
  const said = useCanvasState((state) => state.said);
  return (
    <div className="visually-hidden" role="status" aria-label="Moved steps">
      {said}
    </div>
  );
}

interface CanvasSearchProps {
  readonly graph: CanvasGraph;
  readonly onSelect: (node: CanvasNode) => void;
}

/** Finds steps by name, type or action. Other steps are dimmed; Enter moves to the next match. */
export function CanvasSearch({ graph, onSelect }: CanvasSearchProps) {
  const store = useCanvasStore();
  const { reveal, focusCard } = useCanvasActions();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(-1);
  const matches = useMemo(() => findNodes(graph, query), [graph, query]);
  useEffect(() => {
    store.setState({ highlighted: query.trim() === '' ? undefined : new Set(matches.map(({ id }) => id)) });
    return () => store.setState({ highlighted: undefined });
  }, [store, matches, query]);
  const go = (by: 1 | -1): void => {
    if (matches.length === 0) return;
    const next = (at + by + matches.length) % matches.length;
    setAt(next);
    onSelect(matches[next]!);
    store.setState({ current: matches[next]!.id });
    reveal(matches[next]!.id);
  };
  const close = (): void => {
    store.setState({ isSearching: false });
    const { current } = store.getState();
    if (current !== undefined) focusCard(current);
  };
  const words =
    query.trim() === '' ? '' : matches.length === 0 ? 'None' : `${Math.max(0, at) + 1} of ${matches.length}`;
  return (
    <div className={styles.search} role="search" aria-label="Search graph">
      <input
        autoFocus
        aria-label="Search steps on the canvas"
        placeholder="Name, type or command"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') close();
        }}
      />
      <span role="status" className={styles.searchCount}>
        {words}
      </span>
      <IconButton label="Previous" icon={ChevronUp} size="small" onPress={() => go(-1)} />
      <IconButton label="Next" icon={ChevronDown} size="small" onPress={() => go(1)} />
      <IconButton label="Close search" icon={X} size="small" onPress={close} />
    </div>
  );
}

function findNodes({ steps, handlers }: CanvasGraph, query: string): readonly CanvasNode[] {
  const searchText = query.toLowerCase().trim();
  if (searchText === '') return [];
  return [...steps, ...handlers].filter(({ name, detail, kind }) =>
    `${name}\n${detail}\n${kindNames[kind]}`.toLowerCase().includes(searchText),
  );
}

/** Renders the open overlay above the canvas, one at a time. Closing it returns the focus to the canvas. */
export function CanvasOverlays({ drawn }: { readonly drawn: DrawnWorkflow }) {
  const store = useCanvasStore();
  const { focusCard, add, connect } = useCanvasActions();
  const shown = useCanvasState((state) => state.overlay);
  if (!shown) return null;
  const close = (): void => {
    // The chosen action may already have opened another overlay.
    if (store.getState().overlay !== shown) return;
    store.setState({ overlay: undefined });
    const { current } = store.getState();
    if (current !== undefined) focusCard(current);
  };
  if (shown.kind === 'keys') return <KeysDialog onClose={close} />;
  if (shown.kind === 'menu')
    return <CanvasMenu graph={drawn.graph} subject={shown.subject} at={shown.at} onClose={close} />;
  if (shown.kind === 'connect')
    return (
      <AnchoredOverlay label={`Connect ${shown.from.name} to`} at={shown.at} onClose={close}>
        <ConnectPicker
          drawn={drawn}
          from={shown.from}
          onClose={close}
          onChoose={(target) => {
            close();
            connect({ source: shown.from, target });
          }}
        />
      </AnchoredOverlay>
    );
  return (
    <AnchoredOverlay label="Add step" at={shown.target.at} onClose={close}>
      <SnippetPicker
        onChoose={(snippet) => {
          store.setState({ overlay: undefined });
          void add(snippet, shown.target).then(() => {
            // The button that opened the list was removed with the empty canvas.
            const { added } = store.getState();
            if (drawn.graph.total === 0 && added !== undefined) focusCard(added);
          });
        }}
      />
    </AnchoredOverlay>
  );
}

interface AnchoredOverlayProps {
  readonly label: string;
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** Width of an overlay with its margin, in pixels. */
const overlayWidth = 388;

/** Returns the position of an overlay moved over the part of the canvas that no panel covers. */
export function clampToCanvas<At extends { readonly x: number }>(at: At, canvas: HTMLElement | null): At {
  if (!canvas) return at;
  const { left } = canvas.getBoundingClientRect();
  const right = left + visibleExtent(canvas).clientWidth;
  return { ...at, x: Math.max(left + 8, Math.min(at.x, right - overlayWidth)) };
}

function AnchoredOverlay({ label, at, onClose, children }: AnchoredOverlayProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [{ x, y }] = useState(() => clampToCanvas(at, document.querySelector<HTMLElement>('[data-canvas]')));
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: x, top: y }} />
      <Popover
        isOpen
        triggerRef={anchor}
        className={overlay.popover ?? ''}
        placement="bottom start"
        offset={6}
        onOpenChange={(open) => !open && onClose()}
      >
        <Dialog aria-label={label} className={styles.popoverDialog ?? ''}>
          {children}
        </Dialog>
      </Popover>
    </>
  );
}
