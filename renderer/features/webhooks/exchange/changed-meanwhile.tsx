import { useState } from 'react';
import { Notice } from '../../../ui/state/notice.tsx';

interface ChangedMeanwhileProps {
  /** `webhook`. */
  readonly what: string;
  /** When what is edited was changed last, as is known now. */
  readonly updatedAt: string;
  /** The change is the own one. */
  readonly isSaving: boolean;
}

/** In a dialog that changes something: says that somebody else has changed it since the dialog was opened. */
export function ChangedMeanwhile({ what, updatedAt, isSaving }: ChangedMeanwhileProps) {
  const [openedAt] = useState(updatedAt);
  if (isSaving || openedAt === updatedAt) return null;
  return (
    <Notice tone="warning">
      <strong>{`Another user has changed this ${what}.`}</strong> Saving overwrites those changes. Close and
      reopen this dialog to see them.
    </Notice>
  );
}
