import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useEditorCommands } from '../page/editor-commands.ts';
import type { RunCommands } from '../run/test-loop.ts';
import type { EditOutcome } from '../session/editor-session.ts';
import { isSameNode } from '../session/node-selection.ts';
import { useEditorSession } from '../session/use-session.ts';
import { createOutlineEdits } from './outline-edits.ts';
import type { OutlineRow } from './outline-rows.ts';

export interface OutlineActions {
  readonly edit: (ref: NodeRef) => void;
  readonly rename: (ref: NodeRef) => void;
  readonly run: RunCommands;
  readonly add: (after: NodeRef | undefined) => void;
  readonly remove: (refs: readonly NodeRef[]) => void;
  /** Moves by an offset among the steps; -1 is up. */
  readonly move: (ref: NodeRef, by: -1 | 1) => void;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
}

/**
 * Actions on rows, by menu and key: Enter edits, F2 renames, Delete deletes, Alt+Up and Alt+Down move, `+`
 * adds. The object is stable while the rows change, because a new one would rerender each row.
 */
export function useOutlineActions(
  index: ReadonlyMap<string, OutlineRow>,
  box: RefObject<HTMLElement | null>,
): OutlineActions {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const newest = useRef(index);
  useLayoutEffect(() => {
    newest.current = index;
  }, [index]);
  return useMemo(() => {
    const edits = createOutlineEdits(session);
    const notify = (applied: EditOutcome): void => {
      if (!applied.ok) showToast('error', applied.reason);
    };
    const actions = {
      edit: commands.edit,
      rename: commands.rename,
      run: commands.run,
      add: (after: NodeRef | undefined) => notify(edits.add(after)),
      remove: (refs: readonly NodeRef[]) => notify(edits.remove(refs)),
      move: (ref: NodeRef, by: -1 | 1) => notify(edits.move(ref, by)),
    };
    const onKeyDown = (event: React.KeyboardEvent): void => {
      const focused = box.current?.querySelector<HTMLElement>('[role="row"][data-focused]');
      const ref = focused && newest.current.get(focused.dataset['key'] ?? '')?.ref;
      if (event.key === '+') actions.add(ref ?? undefined);
      else if (!ref || !(event.target instanceof HTMLElement) || event.target.role !== 'row') return;
      else if (event.key === 'F2') actions.rename(ref);
      else if (event.key === 'Delete') {
        const { selection } = session.view;
        actions.remove(selection.some((one) => isSameNode(one, ref)) ? selection : [ref]);
      } else if (event.altKey && event.key === 'ArrowUp') actions.move(ref, -1);
      else if (event.altKey && event.key === 'ArrowDown') actions.move(ref, 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    return { ...actions, onKeyDown };
  }, [session, commands, box]);
}
