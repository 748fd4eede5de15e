import type { Point } from '../../graph/layout/compute-layout.ts';
import type { Snippet } from './snippets.ts';

/** Pixels a pointer must move before a press becomes a drag. */
const threshold = 5;

/** A drop target for snippets. */
export interface SnippetTarget {
  /**
   * Called when the pointer is at this window position with a snippet.
   * @returns the effect of dropping it on a line
   */
  over(at: Point): string | undefined;
  drop(snippet: Snippet, at: Point): void;
  /** Called when the drag has ended or moved elsewhere. */
  leave(): void;
}

interface Drag {
  readonly snippet: Snippet;
  readonly target: SnippetTarget;
  /** Shows the snippet during the drag, and the effect of dropping it on a line; undefined ends the display. */
  readonly show: (dragged: { readonly at: Point; readonly words: string | undefined } | undefined) => void;
}

/**
 * Follows the pointer after a press on a snippet; Escape cancels. It uses pointer events, because HTML drag and
 * drop reports the element under the pointer late and incompletely, and does not support touch.
 * @returns a function that cancels the drag
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

/** Suppresses the click that the browser fires when a drag ends on the element where it began. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  requestAnimationFrame(() => window.removeEventListener('click', swallow, true));
}
