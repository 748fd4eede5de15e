import { useState } from 'react';
import { Notice } from '../../../ui/state/notice.tsx';

interface ChangedMeanwhileProps {
  /** For example `webhook`. */
  readonly what: string;
  /** The latest known modification time of the edited object. */
  readonly updatedAt: string;
  /** Whether the change is the user's own. */
  readonly isSaving: boolean;
}

/** Notice in an edit dialog that someone else has changed the object since it was opened. */
export function EditConflictNotice({ what, updatedAt, isSaving }: ChangedMeanwhileProps) {
  const [openedAt] = useState(updatedAt);
  if (isSaving || openedAt === updatedAt) return null;
  return (
    <Notice tone="warning">
      <strong>{`Another user has changed this ${what}.`}</strong> Saving overwrites those changes. Close and
      reopen this dialog to see them.
    </Notice>
  );
}
