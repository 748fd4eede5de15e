import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { Notice } from '../../ui/state/notice.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';

/** Whether anybody drives the run at the moment, what holds its host up, and how it has changed hands so far. */
export function HostNotes({ run: { host, waiting, takeOvers } }: { readonly run: RunDetailView }) {
  return (
    <>
      {waiting !== undefined && <Notice tone="error">This run is waiting. {waiting}</Notice>}
      {host?.gone !== undefined && (
        <Notice tone="warning">
          Nobody drives this run at the moment: process {host.pid} on {host.hostname} was the last, and{' '}
          {host.gone}. Steps that run go on; the next engine on this home takes the run over.
        </Notice>
      )}
      {takeOvers.map(({ at, by, from, reason }) => (
        <Notice key={at} tone="warning">
          Taken over <RelativeTime iso={at} /> by {by} from {from}: {reason}.
        </Notice>
      ))}
    </>
  );
}
