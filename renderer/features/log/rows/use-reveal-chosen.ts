import { useEffect, useRef } from 'react';
import type { SelectedLines } from '../lines/line-choice.ts';
import type { LinePosition, LineRows } from './line-rows.ts';

/**
 * Scrolls the selected lines into view once they are loaded, once per selection.
 * @param reveal returns whether the list could scroll
 */
export function useRevealSelection(
  reveal: (position: LinePosition) => boolean,
  rows: LineRows,
  chosen: SelectedLines | undefined,
): void {
  const revealed = useRef<string>(undefined);
  const [stream, line] = [chosen?.stream, chosen?.from];
  useEffect(() => {
    const key = `${stream} ${line}`;
    if (stream === undefined || line === undefined || rows.count === 0 || revealed.current === key)
      return undefined;
    // The list measures itself first.
    const frame = requestAnimationFrame(() => {
      if (reveal({ stream, line })) revealed.current = key;
    });
    return () => cancelAnimationFrame(frame);
  }, [reveal, rows, stream, line]);
}
