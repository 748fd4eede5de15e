import { Braces, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { NodeRef } from '../../../core/edit/edit-result.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useEditorCommands } from '../page/editor-commands.ts';
import { usePanels } from '../page/layout/panel-state.ts';
import { useSessionView } from '../session/use-session.ts';
import type { FormState, FormController } from './form-worker/form-controller.ts';
import { BulkActions } from './bulk-actions.tsx';
import { FieldIssues } from './form/field-issues.tsx';
import { FormProvider, type FieldMessage } from './form/form-context.ts';
import { FormSections } from './form/form-sections.tsx';
import type { InspectedTarget } from './reading/field-state.ts';
import { useFormController } from './use-form-controller.ts';
import { useSelectionForm } from './use-form.ts';
import { FieldMessageLine } from './field-message-line.tsx';
import { sections } from './form/sections.ts';
import { WorkflowChoice } from './workflow-choice.tsx';
import styles from './inspector.module.css';

/** The form of the selection: one step or handler, the common fields of several, or the workflow. */
export function InspectorPane({ onClose }: { readonly onClose: () => void }) {
  const { controller, view } = useFormController();
  return (
    <section className={styles.pane} aria-label="Inspector">
      <p id="inspector-code-keys" className="visually-hidden">
        Press Tab to indent, or Escape then Tab to leave the field.
      </p>
      {view.inspected ? (
        <Inspector controller={controller} view={{ ...view, inspected: view.inspected }} onClose={onClose} />
      ) : (
        <div className={styles.head}>
          <h2>Inspector</h2>
          <IconButton label="Close inspector" icon={X} size="small" onPress={onClose} />
        </div>
      )}
    </section>
  );
}

/** Focuses the first field when the user asked to edit the selection. */
function useFocusRequest(body: React.RefObject<HTMLElement | null>, target: readonly NodeRef[]): void {
  const isWished = usePanels(({ wantsFocus }) => wantsFocus);
  const selection = useSessionView((view) => view.selection);
  const isCurrent = isSameChoice(target, selection);
  useEffect(() => {
    if (!isWished || !isCurrent) return;
    usePanels.setState({ wantsFocus: false });
    body.current?.querySelector<HTMLElement>('[data-field] :is(input, textarea, select)')?.focus();
  }, [body, isWished, isCurrent]);
}

const isSameChoice = (left: readonly NodeRef[], right: readonly NodeRef[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

function titleOf([only, ...others]: readonly NodeRef[]): string {
  if (only === undefined) return 'Workflow';
  if (others.length > 0) return `${others.length + 1} steps`;
  return only.section === 'handler' ? `Handler ${only.name}` : only.name;
}

const noMessage: FieldMessage = { text: '' };

interface InspectorProps {
  readonly controller: FormController;
  readonly view: FormState & { readonly inspected: readonly InspectedTarget[] };
  readonly onClose: () => void;
}

function Inspector({ controller, view, onClose }: InspectorProps) {
  const [said, say] = useState<FieldMessage>(noMessage);
  const form = useSelectionForm(controller, view, say);
  const commands = useEditorCommands();
  const { target, inspected, session } = { ...view, session: form.session };
  const [only] = target;
  const [first] = inspected;
  const atTop = form.issuesAt(
    [],
    sections[form.kind].flatMap(({ fields }) => fields.map(({ name }) => [name])),
  );
  const body = useRef<HTMLDivElement>(null);
  useFocusRequest(body, target);
  // The page ignores Ctrl+Z in fields; here it undoes in the document's history.
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'z' && !event.shiftKey) session.undo();
    else session.redo();
  };
  return (
    <FormProvider value={form}>
      <div className={styles.head}>
        <h2 dir="auto" title={titleOf(target)}>
          {titleOf(target)}
        </h2>
        {only !== undefined && target.length === 1 && first && (
          <IconButton
            label="Show step in YAML"
            icon={Braces}
            size="small"
            onPress={() => commands.showText(first.range)}
          />
        )}
        <IconButton label="Close inspector" icon={X} size="small" onPress={onClose} />
      </div>
      <WorkflowChoice document={view.document} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys that bubble from its fields */}
      <div
        ref={body}
        className={styles.body}
        onKeyDown={onKeyDown}
        key={JSON.stringify(target.map(({ section }) => section))}
      >
        {target.length > 1 && <BulkActions />}
        <FieldIssues found={atTop} label="Problems" />
        {first && first.unknown.length > 0 && (
          <p className={styles.note}>Not editable here: {first.unknown.join(', ')}.</p>
        )}
        <FormSections key={JSON.stringify([form.kind, target.length])} />
      </div>
      <FieldMessageLine said={said} />
    </FormProvider>
  );
}
