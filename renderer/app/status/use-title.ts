import { useEffect, useState } from 'react';
import { useRecentRuns, useSystemInfo } from '../../api/queries/queries.ts';
import { systemClock } from '../clock.ts';

/** `1 failed, 2 running · Stepwright` */
export function makeTitle(name: string, running: number, failed: number): string {
  const parts = [...(failed > 0 ? [`${failed} failed`] : []), ...(running > 0 ? [`${running} running`] : [])];
  return parts.length === 0 ? name : `${parts.join(', ')} · ${name}`;
}

/** Since when nobody looks at the page, in epoch milliseconds; undefined while somebody does. */
function useHiddenSince(): number | undefined {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    const look = (): void => setSince(document.hidden ? systemClock.now() : undefined);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return since;
}

/** Keeps title and icon of the tab: how much runs now, and what has failed since somebody last looked. */
export function useTitle(name: string): void {
  const running = useSystemInfo().data?.activeRuns ?? 0;
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
    document.title = makeTitle(name, running, failed);
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const mark = failed > 0 ? 'mark-failed' : running > 0 ? 'mark-running' : 'mark';
    icon?.setAttribute('href', `./${mark}.svg`);
  }, [name, running, failed]);
}
