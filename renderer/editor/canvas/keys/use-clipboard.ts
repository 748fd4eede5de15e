import { useMemo } from 'react';
import type { NodeRef } from '../../../../core/edit/edit-result.ts';
import type { CanvasActions } from '../commands/canvas-actions.ts';

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]');

/** Copies, cuts and pastes steps as YAML through browser events, which need no permission. */
export function useClipboard(actions: CanvasActions, selection: readonly NodeRef[]) {
  return useMemo(() => {
    const copy = (event: React.ClipboardEvent): boolean => {
      if (isField(event.target) || selection.length === 0) return false;
      const text = actions.copy(selection);
      if (text === undefined) return false;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
      return true;
    };
    return {
      onCopy: (event: React.ClipboardEvent) => void copy(event),
      onCut(event: React.ClipboardEvent) {
        if (copy(event)) actions.remove(selection, true);
      },
      onPaste(event: React.ClipboardEvent) {
        const text = event.clipboardData.getData('text/plain');
        if (isField(event.target) || text.trim() === '') return;
        event.preventDefault();
        actions.paste(text);
      },
    };
  }, [actions, selection]);
}
