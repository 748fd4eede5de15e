import { useCallback, useEffect } from 'react';
import { isTypedInto } from '../../../app/keys/key-names.ts';
import type { CanvasActions } from '../commands/canvas-actions.ts';
import { useCanvasStore } from '../state/canvas-store.ts';
import { findChosenCommand } from './key-choices.ts';

/** Whether a key belongs to a field or a button of its own. */
function isElsewhere(target: EventTarget, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  const isCard = target.matches('[data-node-id], [data-canvas]');
  return !isCard && (key === 'Enter' || key === ' ' || key === 'Tab');
}

/** Keys of the canvas, wherever the focus is inside of it but not in a field. */
export function useCanvasKeys(actions: CanvasActions): (event: React.KeyboardEvent) => void {
  const store = useCanvasStore();
  return useCallback(
    (event) => {
      if (event.defaultPrevented || isElsewhere(event.target, event.key)) return;
      const line = (event.target as Element).closest<HTMLElement>('.react-flow__edge')?.dataset['id'];
      if (line !== undefined) store.setState({ selectedEdge: line });
      const found = findChosenCommand(event.nativeEvent);
      if (!found) return;
      // Out of an empty canvas Tab goes on as everywhere.
      if (found.command === 'add' && !isOnCard(event.target)) return;
      event.preventDefault();
      // Undo and saving are the page's; everything else has been dealt with here.
      event.stopPropagation();
      actions.run(found.command, event.key);
    },
    [actions, store],
  );
}

/** `?` shows the keys wherever the focus is on the page, but for fields: nowhere when it has just been opened. */
export function useHelpKey(actions: CanvasActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTypedInto(event.target)) return;
      const found = findChosenCommand(event);
      if (found?.command !== 'keys') return;
      event.preventDefault();
      actions.run(found.command, event.key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actions]);
}

const isOnCard = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('[data-node-id]');
