import { Save, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { pluralize } from '../../../core/base/text.ts';
import type { VersionView } from '../../../core/contract/dag-files.ts';
import { formatActor } from '../../../core/model/run-event.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { DiffView } from '../../code/difference.tsx';
import { useVersion, useVersions } from '../../api/version-queries.ts';
import { versionLabel } from '../../format/values.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { useEditorSession } from '../session/panel-state.ts';
import styles from './save.module.css';
import type { FileSync } from './file-sync.ts';

interface ReviewDialogProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly confirm: { readonly label: string; readonly run: () => void };
  /** Whether this dialog is shown before each save. */
  readonly always: { readonly value: boolean; readonly onChange: (value: boolean) => void };
  /** Number of errors in the current text. */
  readonly errors: number;
  readonly onClose: () => void;
}

/** Renders two versions of a text and their difference, with an action button. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, before, after, confirm, always, errors, onClose } = props;
  return (
    <Dialog title={title} size="wide" onClose={onClose}>
      {errors > 0 && (
        <div className={styles.warning}>
          <Notice tone="warning">
            <strong>{pluralize(errors, 'error')}.</strong> You can save, but the workflow cannot run with
            errors.
          </Notice>
        </div>
      )}
      <DiffView before={before} after={after} />
      <DialogActions>
        <label className={styles.always}>
          <input
            type="checkbox"
            checked={always.value}
            onChange={(event) => always.onChange(event.target.checked)}
          />
          Review changes before saving
        </label>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={Save}
          autoFocus
          onPress={() => {
            onClose();
            confirm.run();
          }}
        >
          {confirm.label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface VersionsDialogProps {
  readonly sync: FileSync;
  readonly onClose: () => void;
}

/** The version history of the file: the difference from the current text, and a restore action for each. */
export function VersionsDialog({ sync, onClose }: VersionsDialogProps) {
  const { fileName } = useEditorSession();
  const versions = useVersions(fileName);
  const [chosen, setChosen] = useState<number>();
  return (
    <Dialog title={`Versions of ${fileName}`} size="wide" onClose={onClose}>
      <QueryState query={versions} what="The versions">
        {({ versions: list }) => (
          <div className={styles.columns}>
            <VersionList versions={list} chosen={chosen ?? list[0]?.id} onChoose={setChosen} />
            <Version sync={sync} id={chosen ?? list[0]?.id} onClose={onClose} />
          </div>
        )}
      </QueryState>
    </Dialog>
  );
}

interface VersionListProps {
  readonly versions: readonly VersionView[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

function VersionList({ versions, chosen, onChoose }: VersionListProps) {
  return (
    <ListBox
      aria-label="Versions, newest first"
      className={styles.list}
      items={versions}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onSelectionChange={(keys) => {
        const key = keys === 'all' ? undefined : keys.values().next().value;
        if (typeof key === 'number') onChoose(key);
      }}
    >
      {(version) => (
        <ListBoxItem
          id={version.id}
          textValue={`${versionLabel[version.kind]} ${version.at}`}
          className={styles.item}
        >
          <span className={styles.kind}>{versionLabel[version.kind]}</span>
          <span className={styles.when}>
            <RelativeTime iso={version.at} />
            {version.by !== undefined && ` ${formatActor(version.by)}`}
          </span>
        </ListBoxItem>
      )}
    </ListBox>
  );
}

interface VersionProps {
  readonly sync: FileSync;
  readonly id: number | undefined;
  readonly onClose: () => void;
}

function Version({ sync, id, onClose }: VersionProps) {
  const session = useEditorSession();
  const { fileName } = session;
  const version = useVersion(fileName, id);
  if (id === undefined) return <p className={styles.none}>No versions yet. Each save creates one.</p>;
  return (
    <QueryState query={version} what="This version">
      {({ spec }) => (
        <div className={styles.version}>
          {spec === session.text ? (
            <p className={styles.none}>Current version</p>
          ) : (
            <DiffView before={spec} after={session.text} />
          )}
          <DialogActions>
            <Button onPress={onClose}>Close</Button>
            <Button
              variant="primary"
              icon={RotateCcw}
              isDisabled={spec === session.text}
              onPress={() => {
                sync.restore(id, spec);
                onClose();
              }}
            >
              Restore version
            </Button>
          </DialogActions>
        </div>
      )}
    </QueryState>
  );
}
