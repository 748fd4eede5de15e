import type { RunDetailView } from '../../../core/contract/runs/run-views.ts';
import { Notice } from '../../ui/state/notice.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';

/** Notes about the host of a run: whether one drives it, what delays it, and its failovers so far. */
export function HostNotes({ run: { host, waiting, takeOvers } }: { readonly run: RunDetailView }) {
  return (
    <>
      {waiting !== undefined && <Notice tone="error">Run is waiting. {waiting}</Notice>}
      {host?.gone !== undefined && (
        <Notice tone="warning">
          Engine process {host.pid} on {host.hostname} was lost: {host.gone}. Running steps continue. Another
          engine will recover the run.
        </Notice>
      )}
      {takeOvers.map(({ at, by, from, reason }) => (
        <Notice key={at} tone="warning">
          Recovered <RelativeTime iso={at} /> by {by} from {from}: {reason}.
        </Notice>
      ))}
    </>
  );
}
