import type { RunDetailView } from '../../../core/contract/run-views.ts';
import { isActive } from '../../api/queries.ts';
import type { WaitKind } from '../../../core/model/queue.ts';
import type { NodeRef } from '../../graph/workflow-graph.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { listNodes } from './find-interesting.ts';

const needsSomebody: readonly WaitKind[] = ['no_host', 'no_worker', 'off', 'paused'];

/** Waiting is in order, unless somebody has to do something about it. */
const waitTone = (kind: WaitKind): 'info' | 'warning' => (needsSomebody.includes(kind) ? 'warning' : 'info');

/** `Waits: queue etl 2/2: …` */
const inWords = ({ wait, error }: RunDetailView): string =>
  wait === undefined ? (error ?? '') : `Waits: ${error ?? ''}`;

interface RunReasonProps {
  readonly run: RunDetailView;
  readonly onSelect: (node: NodeRef) => void;
}

/** Why the run waits, was stopped or did not succeed, in one sentence at the top of the page. */
export function RunReason({ run, onSelect }: RunReasonProps) {
  if (isActive(run)) {
    if (run.stopRequestedBy !== undefined)
      return <Notice tone="warning">Stopping: steps get time to clean up.</Notice>;
    if (run.error === undefined) return null;
    return (
      <Notice tone={run.wait === undefined ? 'warning' : waitTone(run.wait.kind)}>{inWords(run)}</Notice>
    );
  }
  if (run.error === undefined || run.status === 'succeeded') return null;
  const failed = listNodes(run).find(({ status }) => status === 'failed');
  return (
    <Notice
      tone={run.status === 'failed' ? 'error' : 'warning'}
      action={
        failed && (
          <Button size="small" onPress={() => onSelect(failed)}>
            Show {failed.name}
          </Button>
        )
      }
    >
      {run.error}
    </Notice>
  );
}
