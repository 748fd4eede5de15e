import { useState } from 'react';
import { selectTimeRange, type TimeWindow } from './time-window.ts';

/** Selects a range by dragging. With the keyboard, the range is chosen in hours. */
export function useBrushSelection(window: TimeWindow, onChoose: (window: TimeWindow) => void) {
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const shareAt = ({ clientX, currentTarget }: React.PointerEvent<HTMLElement>): number => {
    const area = currentTarget.querySelector('[data-track]')?.getBoundingClientRect();
    if (!area) return 0;
    return Math.min(1, Math.max(0, (clientX - area.left) / area.width));
  };
  const handlers = {
    onPointerDown(event: React.PointerEvent<HTMLElement>): void {
      if (event.button !== 0 || (event.target as HTMLElement).closest('a')) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: shareAt(event), to: shareAt(event) });
    },
    onPointerMove(event: React.PointerEvent<HTMLElement>): void {
      if (drag) setDrag({ ...drag, to: shareAt(event) });
    },
    onPointerUp(): void {
      const chosen = drag && selectTimeRange(window, drag.from, drag.to);
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
