import { Ellipsis, ListRestart, Play, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { toAppError } from '../../../core/base/errors.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { useReschedule } from '../../api/rerun-queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ActionMenu, type MenuAction } from '../../ui/overlay/menu.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useStartRun } from '../start/use-start-run.tsx';
import { RetryDialog, type RetryStart } from './retry-dialog.tsx';

interface RerunButtonProps {
  readonly run: RunDetailView;
  /** The workflow's file, when it is still there; with it the run can be started with other parameters. */
  readonly fileName?: string;
}

/** What can be done again with an ended run: first of all its retry, when it did not succeed. */
export function RerunButton({ run, fileName }: RerunButtonProps) {
  const [asking, setAsking] = useState<RetryStart>();
  const { begin, dialog, pending } = useStartRun();
  const reschedule = useReschedule();
  const [, navigate] = useLocation();
  const repeat = (): void =>
    reschedule.mutate(
      { name: run.name, fromRunId: run.dagRunId },
      {
        onSuccess: ({ name, dagRunId }) => navigate(paths.run(name, dagRunId)),
        onError: (thrown) => showToast('error', toAppError(thrown).message),
      },
    );
  const may = useMay('runs.retry');
  const first = run.steps[0]?.name;
  const actions: MenuAction[] = [
    {
      id: 'step',
      label: 'Retry from a step…',
      icon: RotateCcw,
      run: () => first !== undefined && setAsking({ step: first, downstream: true }),
    },
  ];
  if (!run.parent) {
    actions.push({
      id: 'repeat',
      label: 'Run again with the same parameters',
      icon: ListRestart,
      run: repeat,
    });
  }
  if (fileName !== undefined && run.status !== 'succeeded') {
    actions.push({
      id: 'anew',
      label: run.workflow.params.length > 0 ? 'Run the file as it is now…' : 'Run the file as it is now',
      icon: Play,
      run: () => begin(fileName, { initial: run.params }),
    });
  }
  return (
    <>
      {run.status !== 'succeeded' && (
        <Button look="primary" icon={RotateCcw} unavailable={may.reason} onPress={() => setAsking({})}>
          Retry…
        </Button>
      )}
      {may.allowed && (
        <ActionMenu label="Ways to run again" actions={actions}>
          <IconButton
            label="More ways to run again"
            icon={Ellipsis}
            isDisabled={reschedule.isPending || pending !== undefined}
          />
        </ActionMenu>
      )}
      {dialog}
      {asking && <RetryDialog run={run} start={asking} onClose={() => setAsking(undefined)} />}
    </>
  );
}
