import { Pause } from 'lucide-react';
import { useCan } from '../../../api/session/permissions.ts';
import { useSchedulers } from '../../../api/queries/operating/system-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { PauseMenu } from './pause-menu.tsx';

/** Button that pauses all schedules; hidden while they are paused, because a notice says so. */
export function PauseButton() {
  const schedulers = useSchedulers().data;
  const may = useCan('schedules.pause');
  if (schedulers === undefined || schedulers.pause !== undefined) return null;
  if (!may.allowed) return null;
  return (
    <PauseMenu>
      <Button icon={Pause}>Pause…</Button>
    </PauseMenu>
  );
}
