import { Merge } from 'lucide-react';
import { useMemo, useState } from 'react';
import { pluralize } from '../../../core/base/text.ts';
import { composeMerge, mergeTexts, type HunkChoice, type MergeHunk } from '../../../core/edit/merge-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/state.tsx';
import { useEditorSession } from '../session/panel-state.ts';
import styles from './save.module.css';
import type { FileSync, FileView } from './file-sync.ts';

interface MergeDialogProps {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
  readonly onMerge: (text: string) => void;
  readonly onClose: () => void;
}

/** Merges two changes of one text: non-conflicting changes are applied, conflicts are chosen by the user. */
function MergeDialog({ base, mine, theirs, onMerge, onClose }: MergeDialogProps) {
  const { hunks } = useMemo(() => mergeTexts(base, mine, theirs), [base, mine, theirs]);
  const [choices, setChoices] = useState<ReadonlyMap<number, HunkChoice>>(new Map());
  const open = hunks.filter(({ kind }, index) => kind === 'conflict' && !choices.has(index)).length;
  return (
    <Dialog title="Merge with the version on disk" size="wide" isSticky onClose={onClose}>
      <ScrollArea className={styles.hunks} aria-label="Changes">
        {hunks.map((hunk, index) => (
          <Hunk
            // Hunks have no identity other than their position.
            key={index}
            hunk={hunk}
            choice={choices.get(index)}
            onChoose={(choice) => setChoices(new Map(choices).set(index, choice))}
          />
        ))}
      </ScrollArea>
      <DialogActions>
        <span className={styles.open} role="status">
          {open > 0 ? `${pluralize(open, 'conflict')} left` : 'All conflicts resolved'}
        </span>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={Merge}
          isDisabled={open > 0}
          onPress={() => {
            onMerge(composeMerge(hunks, choices));
            onClose();
          }}
        >
          Use merged version
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const words = {
  mine: 'Changed here',
  theirs: 'Changed on disk',
  both: 'Same change on both sides',
  conflict: 'Conflict',
} as const;

const hunkOptions = [
  { value: 'mine', label: 'Mine' },
  { value: 'theirs', label: 'Theirs' },
  { value: 'mine-then-theirs', label: 'Both' },
  { value: 'base', label: 'Neither' },
] as const satisfies readonly { value: HunkChoice; label: string }[];

interface HunkProps {
  readonly hunk: MergeHunk;
  readonly choice: HunkChoice | undefined;
  readonly onChoose: (choice: HunkChoice) => void;
}

function Hunk({ hunk, choice, onChoose }: HunkProps) {
  if (hunk.kind === 'same') return <SameLines lines={hunk.lines} />;
  const chosen =
    choice ?? (hunk.kind === 'conflict' ? undefined : hunk.kind === 'theirs' ? 'theirs' : 'mine');
  const takesMine = chosen === 'mine' || chosen === 'mine-then-theirs';
  const takesTheirs = chosen === 'theirs' || chosen === 'mine-then-theirs';
  return (
    <section className={styles.hunk} data-kind={hunk.kind} aria-label={words[hunk.kind]}>
      <div className={styles.hunkHead}>
        <span>{words[hunk.kind]}</span>
        {hunk.kind !== 'both' && (
          <Segmented
            label="Resolution"
            value={chosen ?? ''}
            choices={hunkOptions}
            onChange={(value) => onChoose(value as HunkChoice)}
          />
        )}
      </div>
      <Side label="Mine" lines={hunk.mine} isTaken={takesMine} />
      {hunk.kind !== 'both' && <Side label="Theirs" lines={hunk.theirs} isTaken={takesTheirs} />}
    </section>
  );
}

interface SideProps {
  readonly label: string;
  readonly lines: readonly string[];
  readonly isTaken: boolean;
}

function Side({ label, lines, isTaken }: SideProps) {
  return (
    <div className={styles.side} data-taken={isTaken || undefined}>
      <span className={styles.sideLabel}>{label}</span>
      <pre>{lines.length === 0 ? '(nothing)' : lines.join('').replace(/\r?\n$/, '')}</pre>
    </div>
  );
}

const maxConflictLines = 3;

/** Unchanged lines, shortened to those next to a change. */
function SameLines({ lines }: { readonly lines: readonly string[] }) {
  const hidden = lines.length - 2 * maxConflictLines;
  const head = hidden > 1 ? lines.slice(0, maxConflictLines) : lines;
  const tail = hidden > 1 ? lines.slice(-maxConflictLines) : [];
  return (
    <>
      <pre className={styles.same}>{head.join('').replace(/\r?\n$/, '')}</pre>
      {hidden > 1 && <p className={styles.hidden}>{hidden} unchanged lines</p>}
      {tail.length > 0 && <pre className={styles.same}>{tail.join('').replace(/\r?\n$/, '')}</pre>}
    </>
  );
}

interface FileNoticesProps {
  readonly sync: FileSync;
  readonly file: FileView;
  /** The time of the restored draft; absent without a draft, and after the notice was dismissed. */
  readonly restored?: React.ReactNode;
  readonly onKeepDraft?: () => void;
  readonly onDiscardDraft?: () => void;
  readonly onShowProblems: () => void;
}

/** Notices about the file: changed by others, not saved, saved with errors, restored from a draft. */
export function FileNotices(props: FileNoticesProps) {
  const { sync, file, restored, onKeepDraft, onDiscardDraft, onShowProblems } = props;
  return (
    <>
      {restored !== undefined && (
        <Notice
          tone="info"
          action={
            <span className={styles.banner}>
              <Button size="small" onPress={onDiscardDraft}>
                Discard changes
              </Button>
              <Button size="small" onPress={onKeepDraft}>
                Keep changes
              </Button>
            </span>
          }
        >
          <strong>Unsaved changes restored.</strong> Draft saved {restored}.
        </Notice>
      )}
      {file.theirs && <ConflictNotice sync={sync} theirs={file.theirs.text} />}
      {file.problem !== undefined && (
        <Notice tone="error" action={<CloseButton sync={sync} />}>
          <strong>File not saved.</strong> {file.problem}
        </Notice>
      )}
      {file.errors > 0 && (
        <Notice
          tone="warning"
          action={
            <span className={styles.banner}>
              <Button size="small" onPress={onShowProblems}>
                {file.errors === 1 ? 'Show problem' : 'Show problems'}
              </Button>
              <CloseButton sync={sync} />
            </span>
          }
        >
          <strong>Saved with {pluralize(file.errors, 'error')}.</strong> Fix the errors to run this workflow.
        </Notice>
      )}
    </>
  );
}

function CloseButton({ sync }: { readonly sync: FileSync }) {
  return (
    <Button size="small" onPress={() => sync.dismissProblem()}>
      Close
    </Button>
  );
}

function ConflictNotice({ sync, theirs }: { readonly sync: FileSync; readonly theirs: string }) {
  const session = useEditorSession();
  const [isMerging, setIsMerging] = useState(false);
  return (
    <>
      <Notice
        tone="warning"
        action={
          <span className={styles.banner}>
            <Button size="small" onPress={() => sync.acceptTheirs()}>
              Accept theirs
            </Button>
            <Button size="small" onPress={() => sync.acceptMine()}>
              Keep mine
            </Button>
            <Button size="small" variant="primary" icon={Merge} onPress={() => setIsMerging(true)}>
              Merge…
            </Button>
          </span>
        }
      >
        <strong>The file has changed on disk.</strong> You have unsaved changes.
      </Notice>
      {isMerging && (
        <MergeDialog
          base={session.saved.text}
          mine={session.text}
          theirs={theirs}
          onMerge={(text) => sync.acceptMerged(text)}
          onClose={() => setIsMerging(false)}
        />
      )}
    </>
  );
}
