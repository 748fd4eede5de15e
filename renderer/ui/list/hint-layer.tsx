import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { systemClock } from '../../base/clock.ts';
import styles from '../overlay.module.css';

const delayMs = 500;
/**
 * Minimum distance from the window's edge, in pixels, to center a hint; closer to it, the hint is aligned to
 * that side.
 */
const minHintSpace = 170;
const gap = 6;

interface VisibleHint {
  readonly text: string;
  readonly style: React.CSSProperties;
}

/**
 * The shared tooltip of an area with many controls: displays the `data-hint` of the hovered or focused element
 * until Escape. Each hint is also in the accessible name or description of its element.
 */
export function HintLayer({ area }: { readonly area: React.RefObject<HTMLElement | null> }) {
  const [shown, setShown] = useState<VisibleHint>();
  useEffect(() => (area.current ? follow(area.current, setShown) : undefined), [area]);
  if (!shown) return null;
  return createPortal(
    <div className={`${styles.tooltip} ${styles.hint}`} style={shown.style} role="tooltip">
      {shown.text}
    </div>,
    document.body,
  );
}

/** Watches an area until disposed. */
function follow(area: HTMLElement, show: (shown: VisibleHint | undefined) => void): () => void {
  let target: HTMLElement | undefined;
  let cancel = (): void => undefined;
  const turnTo = (next: HTMLElement | undefined, delay: number): void => {
    if (next === target) return;
    cancel();
    target = next;
    show(undefined);
    if (next) cancel = systemClock.after(delay, () => show(positionBeside(next)));
  };
  const hide = (): void => turnTo(undefined, 0);
  const listeners: Readonly<Record<string, (event: Event) => void>> = {
    pointerover: ({ target: at }) => turnTo(findHint(at), delayMs),
    pointerleave: hide,
    pointerdown: hide,
    scroll: hide,
    focusin: ({ target: at }) => {
      if ((at as HTMLElement).matches(':focus-visible')) turnTo(findHint(at), 0);
    },
    focusout: hide,
    keydown: (event) => {
      if (target && (event as KeyboardEvent).key === 'Escape') {
        event.stopPropagation();
        hide();
      }
    },
  };
  for (const [name, listen] of Object.entries(listeners)) area.addEventListener(name, listen);
  return () => {
    cancel();
    for (const [name, listen] of Object.entries(listeners)) area.removeEventListener(name, listen);
  };
}

const findHint = (at: EventTarget | null): HTMLElement | undefined =>
  (at as Element | null)?.closest<HTMLElement>('[data-hint]') ?? undefined;

/** Places the hint below the element, or above it at the bottom of the window. */
function positionBeside(element: HTMLElement): VisibleHint | undefined {
  const text = element.dataset.hint;
  if (text === undefined || !element.isConnected) return undefined;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const middle = (left + right) / 2;
  const across: React.CSSProperties =
    middle > innerWidth - minHintSpace
      ? { right: innerWidth - right }
      : middle < minHintSpace
        ? { left }
        : { left: middle, translate: '-50%' };
  const down: React.CSSProperties =
    bottom > innerHeight - 60 ? { bottom: innerHeight - top + gap } : { top: bottom + gap };
  return { text, style: { ...across, ...down } };
}
