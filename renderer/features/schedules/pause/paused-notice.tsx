import { useSystemChanges } from '../../../api/live/use-system-changes.ts';
import { useCan } from '../../../api/session/permissions.ts';
import { schedulersKey, useSchedulers } from '../../../api/queries/operating/system-queries.ts';
import { formatFull } from '../../../format/time.ts';
import { formatActor } from '../../../../core/model/run/actor.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { showError } from '../../../ui/overlay/show-error.ts';
import { PauseMenu } from './pause-menu.tsx';
import styles from './pause.module.css';
import { usePause } from './use-pause.ts';

/** Notice that all schedules are paused, by whom and until when, with actions to change or end the pause. */
export function PausedNotice() {
  useSystemChanges('schedulers', schedulersKey);
  const pause = useSchedulers().data?.pause;
  const { resume } = usePause();
  const may = useCan('schedules.resume');
  if (pause === undefined) return null;
  const actions = (
    <div className={styles.actions}>
      <Button
        size="small"
        isPending={resume.isPending}
        unavailable={may.reason}
        onPress={() => resume.mutate(undefined, { onError: showError })}
      >
        Resume schedules
      </Button>
      {may.allowed && (
        <PauseMenu>
          <Button size="small">Change…</Button>
        </PauseMenu>
      )}
    </div>
  );
  return (
    <Notice tone="warning" action={actions}>
      All schedules paused{pause.until === undefined ? '' : ` until ${formatFull(pause.until)}`}{' '}
      {formatActor(pause.by)}. Missed runs follow the catchup setting of each workflow.
    </Notice>
  );
}
