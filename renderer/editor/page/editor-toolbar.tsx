import { CircleCheck, FileDiff, History, LoaderCircle, Redo2, Save, Undo2 } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import { pluralize } from '../../../core/base/text/pluralize.ts';
import { useCan } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { SeverityMark } from '../../ui/diagnostics/severity-mark.tsx';
import { ButtonTooltip } from '../../ui/overlay/tooltip.tsx';
import { RunMenu } from '../run/panels/run-menu.tsx';
import { useEditorSession, useSessionView } from '../session/use-session.ts';
import styles from './editor.module.css';
import type { SaveControl } from './use-save.ts';
import type { EditorView } from './view-choice.ts';

interface EditorToolbarProps {
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
  readonly save: SaveControl;
  readonly withProblems: boolean;
  readonly onProblems: () => void;
  readonly onVersions: () => void;
}

const views = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'split', label: 'Split' },
  { value: 'code', label: 'Code' },
] as const;

/** The file name, and the actions on the whole file. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { view, onView, save, withProblems, onProblems, onVersions } = props;
  const { fileName } = useEditorSession();
  return (
    <header className={styles.toolbar}>
      <div className={styles.identity}>
        <Breadcrumb
          trail={[
            { label: 'Workflows', href: paths.workflows },
            { label: fileName, href: paths.workflow(fileName) },
          ]}
        />
        <div className={styles.titleLine}>
          <h1 className={styles.title} dir="auto" title={fileName}>
            {fileName}
          </h1>
          <DirtyIndicator isSaving={save.file.isSaving} />
        </div>
      </div>
      <HistoryButtons />
      <Segmented label="View" value={view} choices={views} onChange={onView} />
      <ProblemCount isOpen={withProblems} onPress={onProblems} />
      <div className={styles.actions}>
        <IconButton label="Versions" icon={History} onPress={onVersions} />
        <SaveButtons save={save} />
        <RunMenu />
      </div>
    </header>
  );
}

/** Shows whether there are unsaved changes, by comparing the texts. */
function DirtyIndicator({ isSaving }: { readonly isSaving: boolean }) {
  const isDirty = useSessionView((view) => view.isDirty);
  const words = isSaving ? 'Saving…' : isDirty ? 'Unsaved changes' : 'Saved';
  return (
    <span className={styles.dirty} data-dirty={isDirty || undefined} role="status">
      {words}
    </span>
  );
}

function HistoryButtons() {
  const session = useEditorSession();
  const undo = useSessionView((view) => view.undo);
  const redo = useSessionView((view) => view.redo);
  return (
    <div className={styles.group} role="group" aria-label="History">
      <IconButton
        label={undo === undefined ? 'Undo' : `Undo ${undo}`}
        icon={Undo2}
        isDisabled={undo === undefined}
        onPress={() => session.undo()}
      />
      <IconButton
        label={redo === undefined ? 'Redo' : `Redo ${redo}`}
        icon={Redo2}
        isDisabled={redo === undefined}
        onPress={() => session.redo()}
      />
    </div>
  );
}

function ProblemCount({ isOpen, onPress }: { readonly isOpen: boolean; readonly onPress: () => void }) {
  const diagnostics = useSessionView((view) => view.analysis?.diagnostics);
  const errors = diagnostics?.filter(({ severity }) => severity === 'error').length ?? 0;
  const warnings = (diagnostics?.length ?? 0) - errors;
  const name =
    diagnostics === undefined
      ? 'Validating…'
      : `Problems: ${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`;
  return (
    <ButtonTooltip text={isOpen ? 'Hide problems' : 'Show problems'}>
      <AriaButton className={styles.problems} aria-label={name} aria-expanded={isOpen} onPress={onPress}>
        {diagnostics === undefined && <LoaderCircle size={16} aria-hidden="true" />}
        {diagnostics?.length === 0 && <CircleCheck size={16} className={styles.good} aria-hidden="true" />}
        {errors > 0 && (
          <>
            <SeverityMark severity="error" size={16} isDecorative />
            {errors}
          </>
        )}
        {warnings > 0 && (
          <>
            <SeverityMark severity="warning" size={16} isDecorative />
            {warnings}
          </>
        )}
      </AriaButton>
    </ButtonTooltip>
  );
}

function SaveButtons({ save }: { readonly save: SaveControl }) {
  const isDirty = useSessionView((view) => view.isDirty);
  const may = useCan('dags.updateSpec');
  return (
    <>
      <IconButton label="Review changes" icon={FileDiff} isDisabled={!isDirty} onPress={save.review} />
      <Button
        variant="primary"
        icon={Save}
        isDisabled={!isDirty}
        isPending={save.file.isSaving}
        unavailable={may.reason}
        onPress={save.begin}
      >
        Save
      </Button>
    </>
  );
}
