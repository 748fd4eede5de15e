import { Clock, Hourglass, Timer } from 'lucide-react';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { DetailList } from '../../ui/layout/detail-list.tsx';
import { Duration } from '../../ui/time/duration.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { stateOf } from './approval-state.ts';

interface WaitDetailsProps {
  readonly approval: ApprovalView;
  /** Timeout of the step, if known. */
  readonly timeoutSec?: number | undefined;
  /** Further rows, shown first. */
  readonly children?: React.ReactNode;
}

/** How long an approval has been open and until when; after that, how long it was open. */
export function WaitDetails({ approval, timeoutSec = 0, children }: WaitDetailsProps) {
  const { askedAt, answeredAt, endedAt } = approval;
  const isOpen = stateOf(approval) === 'open';
  return (
    <DetailList>
      {children}
      <span>
        <Clock size={14} aria-hidden="true" />
        <span>
          requested <RelativeTime iso={askedAt} />
        </span>
      </span>
      {!isOpen && (
        <span>
          <Hourglass size={14} aria-hidden="true" />
          <span>
            waited <Duration startedAt={askedAt} finishedAt={answeredAt ?? endedAt} />
          </span>
        </span>
      )}
      {isOpen && timeoutSec > 0 && (
        <span title="The attempt fails without an answer by then">
          <Timer size={14} aria-hidden="true" />
          <span>
            times out <RelativeTime iso={new Date(Date.parse(askedAt) + timeoutSec * 1000).toISOString()} />
          </span>
        </span>
      )}
    </DetailList>
  );
}
