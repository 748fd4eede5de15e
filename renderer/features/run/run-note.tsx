import { Pencil, Save, StickyNote, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { RunNoteView } from '../../../core/contract/run-views.ts';
import { isNamedActor } from '../../../core/model/run-event.ts';
import { maxNoteLength, type RunRef } from '../../../core/model/run.ts';
import { useSetNote } from '../../api/run-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { Markdown } from '../help/markdown.tsx';
import styles from './run.module.css';

interface NoteProps {
  readonly run: RunRef & { readonly note?: RunNoteView | undefined };
}

/** Adds a note to a run without one. */
export function AddNoteButton({ run }: NoteProps) {
  const [isOpen, setOpen] = useState(false);
  const may = useCan('runs.setNote');
  if (run.note !== undefined || !may.allowed) return null;
  return (
    <>
      <IconButton label="Add note" icon={StickyNote} onPress={() => setOpen(true)} />
      {isOpen && <NoteDialog run={run} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The note of a run, with its author. */
export function RunNote({ run }: NoteProps) {
  const [isOpen, setOpen] = useState(false);
  const may = useCan('runs.setNote');
  const { note } = run;
  if (note === undefined) return null;
  return (
    <section className={styles.note} aria-label="Note">
      <StickyNote size={16} aria-hidden="true" />
      <ScrollArea className={styles.noteText} dir="auto" aria-label="Note text">
        <Markdown text={note.text} toAddress={() => undefined} toImageUrl={() => undefined} />
      </ScrollArea>
      <span className={styles.noteAuthor}>
        {isNamedActor(note.author) && `${note.author}, `}
        <RelativeTime iso={note.at} />
      </span>
      {may.allowed && (
        <IconButton label="Edit note" icon={Pencil} size="small" onPress={() => setOpen(true)} />
      )}
      {isOpen && <NoteDialog run={run} onClose={() => setOpen(false)} />}
    </section>
  );
}

function NoteDialog({ run, onClose }: NoteProps & { readonly onClose: () => void }) {
  const before = run.note?.text ?? '';
  const [text, setText] = useState(before);
  const save = useSetNote();
  const { name, dagRunId } = run;
  const set = (next: string): void => save.mutate({ name, dagRunId, text: next }, { onSuccess: onClose });
  const excess = text.length - maxNoteLength;
  return (
    <FormDialog
      title={before === '' ? 'Add note' : 'Edit note'}
      submit={{
        label: 'Save',
        icon: Save,
        isPending: save.isPending,
        isBlocked: text.trim() === '' || text === before || excess > 0,
      }}
      error={save.error}
      onSubmit={() => set(text)}
      onClose={onClose}
    >
      <MultilineField
        label="Note"
        name="text"
        text={text}
        onChange={setText}
        rows={8}
        isProse
        help="Markdown. Deleted with the run."
        error={excess > 0 ? `${excess.toLocaleString('en')} characters too long` : undefined}
      />
      {before !== '' && (
        <div>
          <Button variant="danger" icon={Trash2} isPending={save.isPending} onPress={() => set('')}>
            Delete note
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
