import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { RunDetailView } from '../../../../core/contract/runs/run-views.ts';
import { useBridge } from '../../../api/bridge.ts';
import { isActive } from '../../../format/status.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useAllSubRuns } from '../../../api/queries/runs/run-queries.ts';
import { useNow } from '../../../app/clock.ts';
import { activeTimeRanges, listRows, runKey, timeRangeOf, type TimelineRow } from './rows.ts';
import { makeTimeMap } from './time-map.ts';

const second = 1_000;

/** The rows and the axis of a run's timeline, including expanded sub-runs. */
export function useTimelineRows(run: RunDetailView) {
  const isLive = isActive(run);
  const clock = useNow(isLive);
  // The end of the axis advances once a second, not with every step that ends in between.
  const now = isLive ? Math.ceil((clock + second) / second) * second : clock;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const hasSubRuns = run.steps.some(({ subRuns }) => subRuns.length > 0);
  const subRuns = useAllSubRuns(run, hasSubRuns).data;
  const details = useOpenRuns(open);
  const rows = useMemo(
    () => listRows(run, { open, subRuns: subRuns ?? [], details, now }),
    [run, open, subRuns, details, now],
  );
  const map = useMemo(
    () => makeTimeMap(timeRangeOf(run, rows, now), activeTimeRanges(rows)),
    [run, rows, now],
  );
  const toggle = ({ key, isOpen }: TimelineRow, wanted = isOpen !== true): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (wanted) next.add(key);
      else next.delete(key);
      return next;
    });
  return { rows, map, toggle };
}

/** The runs of expanded rows; live events keep them up to date like the page's own run. */
function useOpenRuns(open: ReadonlySet<string>): ReadonlyMap<string, RunDetailView> {
  const bridge = useBridge();
  const refs = useMemo(() => readRefs(open), [open]);
  return useQueries({
    queries: refs.map(({ name, dagRunId }) => ({
      queryKey: queryKeys.run(name, dagRunId),
      queryFn: () => bridge.call('runs.get', { name, dagRunId }),
    })),
    combine: toDetails,
  });
}

const toDetails = (
  results: readonly { readonly data: RunDetailView | undefined }[],
): ReadonlyMap<string, RunDetailView> =>
  new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[runKey(data), data]])));

/** Row keys of runs end with the run: `step:call>child/20260101>`. */
const readRefs = (open: ReadonlySet<string>): { name: string; dagRunId: string }[] =>
  [...open].flatMap((key) => {
    const last = /([^>/]+)\/([^>/]+)>$/.exec(key);
    return last === null ? [] : [{ name: last[1]!, dagRunId: last[2]! }];
  });
