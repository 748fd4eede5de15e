import { PenLine } from 'lucide-react';
import { useState, useEffect } from 'react';
import { Autocomplete, Input, ListBox, ListBoxItem, SearchField, useFilter } from 'react-aria-components';
import type { NodeRef } from '../../../core/edit/text-change.ts';
import { type OutlineStep, toNodeRef } from '../../../core/edit/outline.ts';
import { toAppError } from '../../../core/base/errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormDialog, Dialog, DialogActions } from '../../ui/dialog.tsx';
import controls from '../../ui/fields.module.css';
import { useBridge } from '../../api/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import type { LeaveGuard } from '../../navigation/address.ts';
import { useEditorSession, useSessionView } from '../session/panel-state.ts';
import { getRefKey } from '../outline/outline-rows.ts';
import { listAllNodes } from '../session/node-selection.ts';
import type { DraftAutosave } from '../save/draft-autosave.ts';
import type { EditorSession } from '../session/editor-session.ts';
import { ReviewDialog, VersionsDialog } from '../save/review-dialog.tsx';
import type { OpenDialog } from '../run/editor-commands.ts';
import styles from './editor.module.css';
import type { OpenFile } from './use-open-session.ts';
import type { SaveControl } from './editor-toolbar.tsx';

interface RenameDialogProps {
  readonly step: NodeRef;
  readonly onClose: () => void;
}

/** Renames a step and all references to it. */
function RenameDialog({ step, onClose }: RenameDialogProps) {
  const session = useEditorSession();
  const [name, setName] = useState(step.name);
  const [error, setError] = useState<string>();
  const rename = async (): Promise<void> => {
    const applied = await session.edit(
      { kind: 'rename-step', step, name: name.trim() },
      { label: `rename ${step.name} to ${name.trim()}` },
    );
    if (applied.ok) onClose();
    else setError(applied.reason);
  };
  return (
    <FormDialog
      title={`Rename ${step.name}`}
      submit={{ label: 'Rename', icon: PenLine, isPending: false, isBlocked: name.trim() === '' }}
      error={null}
      onSubmit={() => void rename()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        error={error}
        autoFocus
        description="References in other steps are updated."
        onChange={(next) => {
          setName(next);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}

/** Lists the steps by name, to go to one. */
function StepPicker({ onClose }: { readonly onClose: () => void }) {
  const session = useEditorSession();
  const analysis = useSessionView((view) => view.outlined);
  const { contains } = useFilter({ sensitivity: 'base' });
  const nodes = analysis ? dedupe(listAllNodes(analysis.outline)) : [];
  return (
    <Dialog title="Go to step" onClose={onClose}>
      <div className={styles.picker}>
        <Autocomplete filter={contains}>
          <SearchField aria-label="Step name" autoFocus>
            <Input className={controls.input} placeholder="Step name" />
          </SearchField>
          <ListBox
            aria-label="Steps"
            className={styles.pickerList}
            renderEmptyState={() => <p className={styles.none}>No matching steps</p>}
            onAction={(key) => {
              const chosen = nodes.find((node) => getRefKey(node) === key);
              onClose();
              if (chosen) session.select([toNodeRef(chosen)], 'other');
            }}
          >
            {nodes.map((node) => (
              <ListBoxItem
                key={getRefKey(node)}
                id={getRefKey(node)}
                textValue={node.name}
                className={styles.pickerItem}
              >
                <span dir="auto">{node.name}</span>
                <span className={styles.faint}>{node.section === 'handler' ? 'handler' : node.detail}</span>
              </ListBoxItem>
            ))}
          </ListBox>
        </Autocomplete>
      </div>
    </Dialog>
  );
}

/**
 * Keeps only the first of steps with the same name (an error in the text), because duplicate keys make the list
 * loop forever.
 */
const dedupe = (nodes: readonly OutlineStep[]): readonly OutlineStep[] => {
  const byKey = new Map<string, OutlineStep>();
  for (const node of nodes) {
    const key = getRefKey(node);
    if (!byKey.has(key)) byKey.set(key, node);
  }
  return [...byKey.values()];
};

/**
 * Saves the changes of the last second when the window closes. A browser is asked to wait for that; the desktop
 * window is not, because it would not close at all.
 */
export function useUnloadGuard(session: EditorSession, drafts: DraftAutosave): void {
  const { transport } = useBridge();
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!session.view.isDirty || drafts.revision !== undefined) return;
      void drafts.flush();
      if (transport === 'http') event.preventDefault();
    };
    // A hidden page may be terminated without further events, as on a phone.
    const onHide = (): void => {
      if (document.visibilityState === 'hidden') void drafts.flush();
    };
    const onLeave = (): void => void drafts.flush();
    window.addEventListener('beforeunload', onUnload);
    window.addEventListener('pagehide', onLeave);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      window.removeEventListener('pagehide', onLeave);
      document.removeEventListener('visibilitychange', onHide);
    };
  }, [session, drafts, transport]);
}

interface LeaveDialogProps {
  readonly guard: LeaveGuard;
  readonly drafts: DraftAutosave;
}

/** Asks what to do with unsaved changes. */
function LeaveDialog({ guard, drafts }: LeaveDialogProps) {
  const [failure, setFailure] = useState<unknown>();
  const keep = async (): Promise<void> => {
    await drafts.flush();
    if (drafts.failure === undefined) guard.leave();
    else setFailure(drafts.failure);
  };
  const discard = async (): Promise<void> => {
    try {
      await drafts.discard();
      guard.leave();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog title="Save as a draft?" onClose={guard.stay}>
      <div className={styles.question}>
        <p>You have unsaved changes. Runs use the last saved version.</p>
      </div>
      {failure !== undefined && <Notice tone="error">{toAppError(failure).message}</Notice>}
      <DialogActions>
        <Button variant="danger" onPress={() => void discard()}>
          Discard changes
        </Button>
        <Button onPress={guard.stay}>Keep editing</Button>
        <Button variant="primary" autoFocus onPress={() => void keep()}>
          Save draft
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface EditorDialogsProps {
  readonly open: OpenFile;
  readonly save: SaveControl;
  readonly guard: LeaveGuard;
  readonly dialog: OpenDialog | undefined;
  readonly onClose: () => void;
}

/** The dialogs of the editor. */
export function EditorDialogs({ open, save, guard, dialog, onClose }: EditorDialogsProps) {
  const { session, sync, drafts } = open;
  const errors = useSessionView(
    (view) => view.analysis?.diagnostics.filter(({ severity }) => severity === 'error').length ?? 0,
  );
  return (
    <>
      {dialog?.kind === 'rename' && <RenameDialog step={dialog.step} onClose={onClose} />}
      {dialog?.kind === 'steps' && <StepPicker onClose={onClose} />}
      {dialog?.kind === 'versions' && <VersionsDialog sync={sync} onClose={onClose} />}
      {save.isReviewing && (
        <ReviewDialog
          title="Review changes"
          before={session.saved.text}
          after={session.text}
          confirm={{ label: 'Save', run: () => void save.write() }}
          errors={errors}
          always={{ value: save.reviewsFirst, onChange: save.setReviewsFirst }}
          onClose={save.closeReview}
        />
      )}
      {guard.target !== undefined && <LeaveDialog guard={guard} drafts={drafts} />}
    </>
  );
}
