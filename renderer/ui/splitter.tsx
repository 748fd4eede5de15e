import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import styles from './layout.module.css';

const keyPrefix = 'stepwright.split.';

/** Limits a split ratio so that both panes stay usable. */
const clampSplitRatio = (share: number): number => Math.min(0.85, Math.max(0.15, share));

/** Returns the stored split ratio, or `initial`. */
function readSplitRatio(id: string, initial: number): number {
  const stored = Number(localStorage.getItem(keyPrefix + id));
  return stored > 0 ? clampSplitRatio(stored) : initial;
}

/** Stores a split ratio on this machine. */
const storeSplitRatio = (id: string, share: number): void =>
  localStorage.setItem(keyPrefix + id, share.toFixed(4));

interface SplitProps {
  /** Name under which the ratio is stored. */
  readonly id: string;
  readonly label: string;
  readonly direction: 'rows' | 'columns';
  /** Initial ratio of the first pane, 0 to 1. */
  readonly initial: number;
  /** If one of the panes is absent, the other fills the space and stays mounted. */
  readonly first: React.ReactNode | undefined;
  readonly second: React.ReactNode | undefined;
}

const keyStep = 0.04;

/** Two panes with a divider that can be dragged, moved with the arrow keys, or reset by a double click. */
export function Split({ id, label, direction: usual, initial, first, second }: SplitProps) {
  // A phone has no room for columns.
  const direction = useMatches(phone) ? 'rows' : usual;
  const [share, setShare] = useState(() => readSplitRatio(id, initial));
  const box = useRef<HTMLDivElement>(null);
  const change = (next: number): void => {
    setShare(clampSplitRatio(next));
    storeSplitRatio(id, clampSplitRatio(next));
  };
  const drag = (event: React.PointerEvent): void => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const isRows = direction === 'rows';
    change(
      isRows ? (event.clientY - bounds.top) / bounds.height : (event.clientX - bounds.left) / bounds.width,
    );
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const [less, more] = direction === 'rows' ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    change(share + (event.key === more ? keyStep : -keyStep));
  };
  const isDivided = first !== undefined && second !== undefined;
  return (
    <div ref={box} className={`${styles.split} ${styles[direction]}`}>
      {first !== undefined && (
        <div className={styles.part} style={{ flexBasis: isDivided ? `${share * 100}%` : '100%' }}>
          {first}
        </div>
      )}
      {/* A focusable separator is the pattern for a splitter (WAI-ARIA practices, "Window Splitter"). */}
      {isDivided && (
        <div
          className={styles.divider}
          role="separator"
          tabIndex={0}
          aria-label={label}
          aria-orientation={direction === 'rows' ? 'horizontal' : 'vertical'}
          aria-valuenow={Math.round(share * 100)}
          aria-valuemin={15}
          aria-valuemax={85}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
          onDoubleClick={() => change(initial)}
          onKeyDown={onKeyDown}
        />
      )}
      {second !== undefined && (
        <div className={styles.part} style={{ flexBasis: isDivided ? `${(1 - share) * 100}%` : '100%' }}>
          {second}
        </div>
      )}
    </div>
  );
}

/** Same as in the style sheets, where the navigation shrinks to icons. */
const narrow = '(max-width: 860px)';

/** Whether the window is too narrow for two columns, such as one of 1280 pixels at 200% zoom. */
export const useIsNarrow = (): boolean => useMatches(narrow);

/** Same as in the style sheets, where the navigation is a menu. */
const phone = '(max-width: 640px)';

function useMatches(condition: string): boolean {
  const listen = useCallback(
    (listener: () => void) => {
      const query = matchMedia(condition);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    [condition],
  );
  return useSyncExternalStore(listen, () => matchMedia(condition).matches);
}
