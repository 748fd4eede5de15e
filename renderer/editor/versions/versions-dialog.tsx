import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import type { VersionView } from '../../../core/contract/workflows/versions.ts';
import { useVersion, useVersions } from '../../api/queries/workflows/version-queries.ts';
import { formatActor } from '../../../core/model/run/actor.ts';
import { versionLabel } from '../../format/version.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import type { FileSync } from '../save/file-sync.ts';
import { DiffView } from '../save/difference.tsx';
import { useEditorSession } from '../session/use-session.ts';
import styles from './versions.module.css';

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
