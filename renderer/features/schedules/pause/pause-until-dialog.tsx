import { Pause } from 'lucide-react';
import { useState } from 'react';
import { useNow } from '../../../app/clock.ts';
import { fromWallTime, toWallTime } from '../../../format/wall-time.ts';
import { readTimeZone } from '../../../format/time-formats.ts';
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx';
import styles from './pause.module.css';
import { usePause } from './use-pause.ts';

const dayMs = 86_400_000;

/** Asks until when to pause all schedules. */
export function PauseUntilDialog({ onClose }: { readonly onClose: () => void }) {
  const now = useNow();
  const [text, setText] = useState(() => toWallTime(now + dayMs));
  const { pause } = usePause();
  const until = fromWallTime(text);
  const zone = readTimeZone() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isPast = until === undefined || until <= now;
  return (
    <FormDialog
      title="Pause all schedules until…"
      submit={{ label: 'Pause', icon: Pause, isPending: pause.isPending, isBlocked: isPast }}
      error={pause.error}
      onSubmit={() => pause.mutate(until, { onSuccess: onClose })}
      onClose={onClose}
    >
      <label className={styles.field}>
        <span>Resume at</span>
        <input
          type="datetime-local"
          required
          min={toWallTime(now)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p className={styles.help}>
        {isPast ? 'Choose a time in the future.' : `Time zone: ${zone}.`} Missed runs follow the catchup
        setting of each workflow.
      </p>
    </FormDialog>
  );
}
