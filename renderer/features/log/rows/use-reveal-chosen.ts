import { useEffect, useRef } from 'react';
import type { ChosenLines } from '../line-choice.ts';
import type { LineRows } from './line-rows.ts';
import type { RowListHandle } from './row-list.ts';

/** Brings the chosen lines into view as soon as they are there, once for each choice. */
export function useRevealChosen(
  handle: React.RefObject<Pick<RowListHandle, 'reveal'> | null>,
  rows: LineRows,
  chosen: ChosenLines | undefined,
): void {
  const revealed = useRef<string>(undefined);
  const [stream, line] = [chosen?.stream, chosen?.from];
  useEffect(() => {
    const key = `${stream} ${line}`;
    if (stream === undefined || line === undefined || rows.count === 0 || revealed.current === key)
      return undefined;
    // The list measures itself first.
    const frame = requestAnimationFrame(() => {
      if (!handle.current) return;
      revealed.current = key;
      handle.current.reveal(rows.rowOf({ stream, line }));
    });
    return () => cancelAnimationFrame(frame);
  }, [handle, rows, stream, line]);
}
