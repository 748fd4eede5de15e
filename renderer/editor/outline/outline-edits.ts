import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { addStep } from '../../../core/edit/steps/add-step.ts';
import { moveStep } from '../../../core/edit/steps/move-step.ts';
import { removeSteps } from '../../../core/edit/steps/remove-steps.ts';
import { refOf } from '../../../core/edit/outline/look-up.ts';
import { findWorkflow, isSameNode } from '../session/node-selection.ts';
import type { Applied, EditorSession } from '../session/editor-session.ts';

/** What the outline does to steps, as edits of the session. */
export function outlineEdits(session: EditorSession) {
  return {
    /** Adds a step that is to be filled in. @param after the step it comes behind; the end when absent */
    add: (after: NodeRef | undefined): Applied =>
      session.apply(
        addStep(
          session.editable,
          {
            step: { command: 'echo hello' },
            name: 'new-step',
            ...(after?.section === 'step' && { after }),
          },
          after ? after.document : session.view.document,
        ),
        { label: 'add step' },
      ),
    /** Moves a step past the one before or behind it. */
    move: (ref: NodeRef, by: -1 | 1): Applied => {
      const { analysis } = session.view;
      const steps = (analysis && findWorkflow(analysis.outline, ref.document))?.steps ?? [];
      const place = steps.findIndex((step) => isSameNode(step, ref));
      const other = steps[place + by];
      if (place === -1 || !other) return { ok: true };
      const beside = refOf(other);
      return session.apply(
        moveStep(session.editable, ref, by === -1 ? { before: beside } : { after: beside }),
        { label: `move ${ref.name} ${by === -1 ? 'up' : 'down'}` },
      );
    },
    /** Removes steps and handlers; what waited for them waits for what they waited for. */
    remove: (refs: readonly NodeRef[]): Applied =>
      session.apply(removeSteps(session.editable, refs, { reconnect: true }), {
        label: refs.length === 1 ? `delete ${refs[0]!.name}` : `delete ${refs.length} steps`,
      }),
  };
}
