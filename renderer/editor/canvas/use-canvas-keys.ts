import { useMemo, useCallback, useEffect } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { isTextInput } from '../../navigation/key-bindings.ts';
import type { CanvasActions } from './canvas-actions.ts';
import { useCanvasStore } from './canvas-store.ts';
import { findChosenCommand } from './canvas-keys.ts';

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

/** Whether a key belongs to a field or button inside the canvas. */
function isElsewhere(target: EventTarget, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  const isCard = target.matches('[data-node-id], [data-canvas]');
  return !isCard && (key === 'Enter' || key === ' ' || key === 'Tab');
}

/** Handles keyboard shortcuts while the focus is inside the canvas and not in a field. */
export function useCanvasKeys(actions: CanvasActions): (event: React.KeyboardEvent) => void {
  const store = useCanvasStore();
  return useCallback(
    (event) => {
      if (event.defaultPrevented || isElsewhere(event.target, event.key)) return;
      const line = (event.target as Element).closest<HTMLElement>('.react-flow__edge')?.dataset['id'];
      if (line !== undefined) store.setState({ selectedEdge: line });
      const chosenCommand = findChosenCommand(event.nativeEvent);
      if (!chosenCommand) return;
      // On an empty canvas, Tab moves the focus as usual.
      if (chosenCommand.command === 'add' && !isOnCard(event.target)) return;
      event.preventDefault();
      // Undo and save are handled by the page; all other keys are handled here.
      event.stopPropagation();
      actions.run(chosenCommand.command, event.key);
    },
    [actions, store],
  );
}

/**
 * Opens the list of shortcuts on `?`, wherever the focus is except in fields, including when nothing is
 * focused.
 */
export function useShortcutHelpKey(actions: CanvasActions): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTextInput(event.target)) return;
      const chosenCommand = findChosenCommand(event);
      if (chosenCommand?.command !== 'keys') return;
      event.preventDefault();
      actions.run(chosenCommand.command, event.key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [actions]);
}

const isOnCard = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('[data-node-id]');
