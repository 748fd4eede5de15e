import { useState } from 'react';
import { cutWindow, type TimeWindow } from './time-window.ts';

/** Selects a range by dragging. With the keyboard, the range is chosen in hours. */
export function useBrush(window: TimeWindow, onChoose: (window: TimeWindow) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const place = ({ clientX, currentTarget }: React.PointerEvent<HTMLElement>): number => {
    const area = currentTarget.querySelector('[data-track]')?.getBoundingClientRect();
    if (!area) return 0;
    return Math.min(1, Math.max(0, (clientX - area.left) / area.width));
  };
  const handlers = {
    onPointerDown(event: React.PointerEvent<HTMLElement>): void {
      if (event.button !== 0 || (event.target as HTMLElement).closest('a')) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: place(event), to: place(event) });
    },
    onPointerMove(event: React.PointerEvent<HTMLElement>): void {
      if (drag) setDrag({ ...drag, to: place(event) });
    },
    onPointerUp(): void {
      const chosen = drag && cutWindow(window, drag.from, drag.to);
      setDrag(undefined);
      if (chosen) onChoose(chosen);
    },
    onPointerCancel: () => setDrag(undefined),
  };
  const selection = drag && {
    left: `${100 * Math.min(drag.from, drag.to)}%`,
    width: `${100 * Math.abs(drag.to - drag.from)}%`,
  };
  return { handlers, selection };
}
