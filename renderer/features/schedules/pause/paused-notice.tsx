import { useSystemChanges } from '../../../api/live/use-system-changes.ts';
import { useMay } from '../../../api/session/permissions.ts';
import { schedulersKey, useSchedulers } from '../../../api/queries/operating/system-queries.ts';
import { formatFull } from '../../../format/time.ts';
import { describeDoer } from '../../../../core/model/run/doer.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { showRefusal } from '../../../ui/overlay/show-refusal.ts';
import { PauseMenu } from './pause-menu.tsx';
import styles from './pause.module.css';
import { usePause } from './use-pause.ts';

/** Notice that all schedules are paused, by whom and until when, with actions to change or end the pause. */
export function PausedNotice() {
  useSystemChanges('schedulers', schedulersKey);
  const pause = useSchedulers().data?.pause;
  const { resume } = usePause();
  const may = useMay('schedules.resume');
  if (pause === undefined) return null;
  const actions = (
    <div className={styles.actions}>
      <Button
        size="small"
        isPending={resume.isPending}
        unavailable={may.reason}
        onPress={() => resume.mutate(undefined, { onError: showRefusal })}
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
      {describeDoer(pause.by)}. Missed runs follow the catchup setting of each workflow.
    </Notice>
  );
}
