import { CopyPlus, Trash2, Undo2, Braces, X } from 'lucide-react';
import { useId, useEffect, useRef, useState } from 'react';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { NativeSelect } from '../../ui/choices.tsx';
import type { EditorSession } from '../session/editor-session.ts';
import { useEditorSession, useSessionView, usePanels } from '../session/panel-state.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import { FieldIssues } from './field-issues.tsx';
import { useForm, type FieldMessage, FormProvider } from './form-context.ts';
import styles from './inspector.module.css';
import { type FormState, type FormController, useFormController } from './form-controller.ts';
import { FormSections } from './form-sections.tsx';
import type { InspectedTarget } from '../../../core/edit/inspect.ts';
import { useSelectionForm } from './use-form.ts';
import { sections } from './field-specs.ts';
import { TriggerForm } from './trigger-form.tsx';

/** Actions on all selected steps. */
function BulkActions() {
  const form = useForm();
  const { target } = form;
  const remove = async (reconnect: boolean): Promise<void> => {
    const undoes = `delete ${target.length} steps`;
    if (await form.edit(['steps'], { kind: 'remove-steps', target, reconnect }, undoes))
      form.say({ text: `${target.length} steps deleted.`, undoes });
  };
  return (
    <div className={styles.bulk}>
      <p>{target.map(({ name }) => name).join(', ')}</p>
      <div className={styles.actions}>
        <Button
          size="small"
          icon={CopyPlus}
          onPress={() =>
            void form.edit(['steps'], { kind: 'duplicate-steps', target }, `duplicate ${target.length} steps`)
          }
        >
          Duplicate
        </Button>
        <Button size="small" variant="danger" icon={Trash2} onPress={() => void remove(false)}>
          Delete
        </Button>
        <Button size="small" icon={Trash2} onPress={() => void remove(true)}>
          Delete and reconnect
        </Button>
      </div>
      <FieldIssues found={form.issuesAt(['steps'], [])} />
      <p className={styles.note}>Changes apply to all selected steps.</p>
    </div>
  );
}

/** The last action, announced by screen readers; after a removal, with an undo button. */
function FieldMessageLine({ said: { text, undoes } }: { readonly said: FieldMessage }) {
  const session = useEditorSession();
  const undo = useSessionView((view) => view.undo);
  const isShown = undoes !== undefined && undo === undoes;
  return (
    <div className={isShown ? styles.said : undefined}>
      <p role="status" className={isShown ? undefined : 'visually-hidden'}>
        {text}
        {isShown && <span className="visually-hidden"> Press Ctrl+Z to undo.</span>}
      </p>
      {isShown && (
        <Button size="small" variant="quiet" icon={Undo2} onPress={() => session.undo()}>
          Undo
        </Button>
      )}
    </div>
  );
}

const main = 'main';

/** Selects the workflow of the file in the form; renders nothing if there is only one. */
function WorkflowChoice({ document }: { readonly document: number | undefined }) {
  const session = useEditorSession();
  const id = useId();
  const documents = useSessionView((view) => view.outlined?.outline.documents);
  if (documents === undefined || documents.length < 2) return null;
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>Workflow</label>
      <NativeSelect
        id={id}
        isField
        value={document ?? main}
        onChange={({ target: { value } }) =>
          session.selectWorkflow(value === main ? undefined : Number(value), 'inspector')
        }
      >
        {documents.map(({ index, name }, documentIndex) => (
          <option key={index} value={documentIndex === 0 ? main : index}>
            {name ?? (documentIndex === 0 ? session.fileName : `Workflow ${index + 1}`)}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}

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

const triggerControls = ['[data-trigger] [aria-checked="true"]', '[data-trigger] section button'];

/** Focuses the field that the user asked to edit. */
function useFocusRequest(body: React.RefObject<HTMLElement | null>, target: readonly NodeRef[]): void {
  const requested = usePanels(({ wantsFocus }) => wantsFocus);
  const isTriggerShown = usePanels((state) => state.isTriggerShown);
  const selection = useSessionView((view) => view.selection);
  const isCurrent = isSameChoice(target, selection);
  useEffect(() => {
    if (requested === false || !isCurrent) return;
    usePanels.setState({ wantsFocus: false });
    const field = typeof requested === 'string' ? `[data-field="${CSS.escape(requested)}"]` : '[data-field]';
    const controls = [`${field} :is(input, textarea, select)`, `${field} button`];
    for (const selector of isTriggerShown ? triggerControls : controls) {
      const control = body.current?.querySelector<HTMLElement>(selector);
      if (control) return control.focus();
    }
  }, [body, requested, isCurrent, isTriggerShown]);
}

/** Whether the triggers are shown; selecting a step or another workflow ends that. */
function useTriggers(target: readonly NodeRef[], document: number | undefined): boolean {
  const isTriggerShown = usePanels((state) => state.isTriggerShown);
  const isPossible = target.length === 0 && document === undefined;
  const selection = useSessionView((view) => view.selection);
  useEffect(() => {
    if (selection.length > 0) usePanels.setState({ isTriggerShown: false });
  }, [selection]);
  return isTriggerShown && isPossible;
}

const isSameChoice = (a: readonly NodeRef[], b: readonly NodeRef[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

function getTitle([only, ...others]: readonly NodeRef[]): string {
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

/** The page ignores Ctrl+Z in fields; here it undoes in the history of the document. */
function undoByKey(event: React.KeyboardEvent, session: Pick<EditorSession, 'undo' | 'redo'>): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  event.stopPropagation();
  if (key === 'z' && !event.shiftKey) session.undo();
  else session.redo();
}

function Inspector({ controller, view, onClose }: InspectorProps) {
  const [said, say] = useState<FieldMessage>(noMessage);
  const form = useSelectionForm(controller, view, say);
  const commands = useEditorCommands();
  const { target, inspected, session } = { ...view, session: form.session };
  const close = (): void => {
    usePanels.setState({ isTriggerShown: false });
    onClose();
  };
  const [only] = target;
  const [first] = inspected;
  const atTop = form.issuesAt(
    [],
    sections[form.kind].flatMap(({ fields }) => fields.map(({ name }) => [name])),
  );
  const body = useRef<HTMLDivElement>(null);
  useFocusRequest(body, target);
  const withTriggers = useTriggers(target, view.document);
  const workflowTitle = withTriggers ? 'Triggers' : getTitle(target);
  const title = form.kind === 'base' ? 'All workflows' : workflowTitle;
  return (
    <FormProvider value={form}>
      <div className={styles.head}>
        <h2 dir="auto" title={title}>
          {title}
        </h2>
        {only !== undefined && target.length === 1 && first && (
          <IconButton
            label="Show step in YAML"
            icon={Braces}
            size="small"
            onPress={() => commands.showText(first.range)}
          />
        )}
        <IconButton label="Close inspector" icon={X} size="small" onPress={close} />
      </div>
      <WorkflowChoice document={view.document} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys that bubble from its fields */}
      <div
        ref={body}
        className={styles.body}
        onKeyDown={(event) => undoByKey(event, session)}
        key={JSON.stringify(target.map(({ section }) => section))}
      >
        {target.length > 1 && <BulkActions />}
        <FieldIssues found={atTop} label="Problems" />
        {first && first.unknown.length > 0 && (
          <p className={styles.note}>Not editable here: {first.unknown.join(', ')}.</p>
        )}
        {withTriggers ? <TriggerForm /> : <FormSections key={JSON.stringify([form.kind, target.length])} />}
      </div>
      <FieldMessageLine said={said} />
    </FormProvider>
  );
}
