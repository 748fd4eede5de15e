import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import type { WaitKind } from '../../../../core/model/queue.ts';
import { isActive } from '../../../format/status.ts';
import type { NodeRef } from '../../../graph/workflow-graph.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/state/notice.tsx';
import { listNodes } from '../find-interesting.ts';
import { explainRun } from './reason-parts.ts';
import { ReasonText } from './reason-text.tsx';
import styles from './reason.module.css';

const needsUser: readonly WaitKind[] = ['no_host', 'no_worker', 'off', 'paused'];

/** Waiting is normal, unless it needs an action. */
const waitTone = (kind: WaitKind): 'info' | 'warning' => (needsUser.includes(kind) ? 'warning' : 'info');

interface RunReasonProps {
  readonly run: RunDetailView;
  readonly onSelect: (node: NodeRef) => void;
}

/** Why the run waits, was stopped or did not succeed, in one sentence at the top of the page. */
export function RunReason({ run, onSelect }: RunReasonProps) {
  if (isActive(run) && run.stopRequestedBy !== undefined)
    return (
      <Notice tone="warning">
        Stop requested by {run.stopRequestedBy}. Steps have up to {run.workflow.maxCleanUpTimeSec} s to clean
        up.
      </Notice>
    );
  const segments = explainRun(run);
  if (segments.length === 0) return null;
  const sentence = <ReasonText segments={segments} onSelect={onSelect} />;
  if (isActive(run))
    return <Notice tone={run.wait === undefined ? 'warning' : waitTone(run.wait.kind)}>{sentence}</Notice>;
  const failed = listNodes(run).find(({ status }) => status === 'failed');
  return (
    <Notice
      tone={run.status === 'failed' ? 'error' : 'warning'}
      action={
        failed && (
          <Button size="small" onPress={() => onSelect(failed)}>
            Show{' '}
            <span className={styles.name} dir="auto" title={failed.name}>
              {failed.name}
            </span>
          </Button>
        )
      }
    >
      {sentence}
    </Notice>
  );
}
