import type { Point } from '../../graph/layout/compute-layout.ts';
import type { Snippet } from './snippets.ts';

/** Pixels that a pointer has to travel before a press becomes a drag. */
const threshold = 5;

/** What takes snippets that are dropped. */
export interface SnippetTarget {
  /** The pointer is at this place of the window with a snippet. @returns what dropping it on a line would do, in words */
  over(at: Point): string | undefined;
  drop(snippet: Snippet, at: Point): void;
  /** The drag is over, or has gone elsewhere. */
  leave(): void;
}

interface Drag {
  readonly snippet: Snippet;
  readonly target: SnippetTarget;
  /** Where the snippet is while it is dragged, and what dropping it on a line would do; undefined when it no longer is. */
  readonly show: (dragged: { readonly at: Point; readonly words: string | undefined } | undefined) => void;
}

/**
 * Follows the pointer from a press on a snippet. Escape gives up. Pointer events and not those of HTML's drag and drop,
 * which say too little and too late of what is under the pointer, and nothing to a finger.
 * @returns what ends it early
 */
export function dragSnippet(press: React.PointerEvent, { snippet, target, show }: Drag): void {
  if (press.button !== 0) return;
  const start = { x: press.clientX, y: press.clientY };
  let isDragged = false;
  const onMove = (event: PointerEvent): void => {
    const at = { x: event.clientX, y: event.clientY };
    if (!isDragged && Math.hypot(at.x - start.x, at.y - start.y) < threshold) return;
    if (!isDragged) getSelection()?.removeAllRanges();
    isDragged = true;
    show({ at, words: target.over(at) });
  };
  const end = (): void => {
    show(undefined);
    target.leave();
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', onUp);
    window.removeEventListener('pointercancel', end);
    window.removeEventListener('keydown', onKey, true);
  };
  const onUp = (event: PointerEvent): void => {
    if (isDragged) {
      swallowClick();
      target.drop(snippet, { x: event.clientX, y: event.clientY });
    }
    end();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    end();
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', onUp);
  window.addEventListener('pointercancel', end);
  window.addEventListener('keydown', onKey, true);
}

/** The click that the browser makes of the end of a drag, when that is above the beginning. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  requestAnimationFrame(() => window.removeEventListener('click', swallow, true));
}
