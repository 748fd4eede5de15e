import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { addStep } from '../../../core/edit/steps/add-step.ts';
import { moveStep } from '../../../core/edit/steps/move-step.ts';
import { removeSteps } from '../../../core/edit/steps/remove-steps.ts';
import { toNodeRef } from '../../../core/edit/outline/look-up.ts';
import { findWorkflow, isSameNode } from '../session/node-selection.ts';
import type { EditOutcome, EditorSession } from '../session/editor-session.ts';

/** Step edits of the outline, applied to the session. */
export function createOutlineEdits(session: EditorSession) {
  return {
    /** Adds a placeholder step. @param after the step to insert it after. Default: the end */
    add: (after: NodeRef | undefined): EditOutcome =>
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
    /** Moves a step past the previous or next one. */
    move: (ref: NodeRef, by: -1 | 1): EditOutcome => {
      const { analysis } = session.view;
      const steps = (analysis && findWorkflow(analysis.outline, ref.document))?.steps ?? [];
      const stepIndex = steps.findIndex((step) => isSameNode(step, ref));
      const other = steps[stepIndex + by];
      if (stepIndex === -1 || !other) return { ok: true };
      const beside = toNodeRef(other);
      return session.apply(
        moveStep(session.editable, ref, by === -1 ? { before: beside } : { after: beside }),
        { label: `move ${ref.name} ${by === -1 ? 'up' : 'down'}` },
      );
    },
    /**
     * Removes steps and handlers; dependents of the removed steps depend on the steps' own dependencies
     * instead.
     */
    remove: (refs: readonly NodeRef[]): EditOutcome =>
      session.apply(removeSteps(session.editable, refs, { reconnect: true }), {
        label: refs.length === 1 ? `delete ${refs[0]!.name}` : `delete ${refs.length} steps`,
      }),
  };
}
