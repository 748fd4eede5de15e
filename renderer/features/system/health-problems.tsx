import { useHealth } from '../../api/queries/operating/system-queries.ts';
import { Notice } from '../../ui/state/notice.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';

/** Problems of the engine; renders nothing while it is healthy. */
export function HealthProblems() {
  const problems = useHealth().data?.problems ?? [];
  return problems.map(({ code, message, since }) => (
    <Notice key={code} tone="error">
      {message} (<code>{code}</code>, since <RelativeTime iso={since} />)
    </Notice>
  ));
}
