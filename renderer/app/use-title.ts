import { useEffect, useState } from 'react';
import { useOpenApprovals } from '../api/approval-queries.ts';
import { useRecentRuns } from '../api/run-list-queries.ts';
import { useSystemInfo } from '../api/system-queries.ts';
import { appRoot } from '../base/app-root.ts';
import { systemClock } from '../base/clock.ts';

/** Returns a title such as `1 failed, 1 waiting for approval, 2 running · Stepwright`. */
export function formatTitle(name: string, { running = 0, failed = 0, asking = 0 }): string {
  const counted = [
    [failed, 'failed'],
    [asking, 'waiting for approval'],
    [running, 'running'],
  ] as const;
  const labels = counted.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return labels.length === 0 ? name : `${labels.join(', ')} · ${name}`;
}

/** Returns since when the page has been hidden, in epoch milliseconds; undefined while it is visible. */
function useHiddenSince(): number | undefined {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    const updateHiddenSince = (): void => setSince(document.hidden ? systemClock.now() : undefined);
    document.addEventListener('visibilitychange', updateHiddenSince);
    return () => document.removeEventListener('visibilitychange', updateHiddenSince);
  }, []);
  return since;
}

/**
 * Updates title and icon of the tab: active runs, open approvals, and failures since the page was last visible.
 */
export function useTitle(name: string): void {
  const running = useSystemInfo().data?.activeRuns ?? 0;
  const asking = useOpenApprovals().data?.length ?? 0;
  const hiddenSince = useHiddenSince();
  const recent = useRecentRuns().data;
  const failed =
    hiddenSince === undefined
      ? 0
      : (recent ?? []).filter(
          ({ status, finishedAt }) =>
            status === 'failed' && finishedAt !== undefined && Date.parse(finishedAt) > hiddenSince,
        ).length;
  useEffect(() => {
    document.title = formatTitle(name, { running, failed, asking });
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const mark = failed > 0 ? 'mark-failed' : running > 0 ? 'mark-running' : 'mark';
    icon?.setAttribute('href', new URL(`${mark}.svg`, appRoot()).href);
  }, [name, running, failed, asking]);
}
