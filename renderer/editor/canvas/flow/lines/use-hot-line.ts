import { useMemo } from 'react';
import type { Dispose } from '../../../../../core/base/clock.ts';
import { systemClock } from '../../../../app/clock.ts';
import { useCanvasStore, type CanvasStore } from '../../state/canvas-store.ts';

/** Time for the pointer to move from a line to its button, which is in another layer. */
const graceMs = 200;

const leaving = new WeakMap<CanvasStore, Dispose>();

/** Tracks the line under the pointer. */
export function useHoveredLine() {
  const store = useCanvasStore();
  return useMemo(() => {
    const stay = (): void => leaving.get(store)?.();
    return {
      enter(id: string): void {
        stay();
        store.setState({ hotEdge: id });
      },
      leave(): void {
        stay();
        leaving.set(
          store,
          systemClock.after(graceMs, () => store.setState({ hotEdge: undefined })),
        );
      },
    };
  }, [store]);
}
