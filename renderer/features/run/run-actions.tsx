import { Square, Workflow } from 'lucide-react';
import { toAppError } from '../../../core/base/errors.ts';
import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { isActive, useDags, useStopRun } from '../../api/queries.ts';
import { useMay } from '../../api/session/permissions.ts';
import { paths } from '../../app/paths.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { RerunButton } from '../rerun/rerun-button.tsx';
import { RunButton } from '../start/run-button.tsx';

const stopWord = ({ status }: RunDetailView): string => (status === 'queued' ? 'Take out of queue' : 'Stop');

/** Stop while the run goes on, retry or run again afterwards. */
export function RunActions({ run }: { readonly run: RunDetailView }) {
  const stop = useStopRun();
  const mayStop = useMay('runs.stop');
  // A run knows its workflow's name; a start wants the name of a file that is still there.
  const dag = useDags().data?.find(({ name, valid }) => name === run.name && valid);
  if (isActive(run)) {
    const stopping = run.stopRequestedBy !== undefined || stop.isPending;
    return (
      <Button
        look="danger"
        icon={Square}
        isDisabled={stopping}
        unavailable={mayStop.reason}
        onPress={() =>
          stop.mutate(
            { name: run.name, dagRunId: run.dagRunId },
            { onError: (thrown) => showToast('error', toAppError(thrown).message) },
          )
        }
      >
        {stopping ? 'Stopping' : stopWord(run)}
      </Button>
    );
  }
  if (!dag || run.parent) return <RerunButton run={run} />;
  return (
    <>
      <LinkButton href={paths.workflow(dag.fileName)} icon={Workflow}>
        Open workflow
      </LinkButton>
      {run.status === 'succeeded' && (
        <RunButton
          fileName={dag.fileName}
          label="Run again"
          params={run.workflow.params}
          initial={run.params}
        />
      )}
      <RerunButton run={run} fileName={dag.fileName} />
    </>
  );
}
