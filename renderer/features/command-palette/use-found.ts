import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { maxQueryLength } from '../../../core/contract/workflows/dag-search.ts';
import { useBridge } from '../../api/bridge.ts';
import { useRecentRuns } from '../../api/queries/runs/run-list-queries.ts';
import { systemClock } from '../../app/clock.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { formatDayAndTime } from '../../format/time.ts';
import { statusLabels } from '../../format/status.ts';
import type { Entry } from './entries.ts';

/** Delay after the last key press, so that not every one sends a request. */
const settleMs = 180;
const minQueryLength = 2;
const maxRuns = 8;
const maxFiles = 6;

/** Returns the text once it has not changed for a moment. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => systemClock.after(settleMs, () => setSettled(text)), [text]);
  return settled;
}

/** Finds runs by name, id, parameters or reason; the newest ones for an empty query. */
export function useRunMatches(query: string, go: (to: string) => void): readonly Entry[] {
  const bridge = useBridge();
  const recent = useRecentRuns().data;
  const found = useQuery({
    queryKey: ['palette', 'runs', query],
    queryFn: () => bridge.call('runs.list', { text: query, limit: maxRuns }),
    enabled: query.length >= minQueryLength,
    placeholderData: keepPreviousData,
    select: ({ dagRuns }) => dagRuns,
  }).data;
  const shown = query.length >= minQueryLength ? found : recent?.slice(0, maxRuns);
  return (shown ?? []).map(({ name, dagRunId, status, createdAt }) => ({
    id: `run ${name} ${dagRunId}`,
    title: name,
    note: `${statusLabels[status]}, ${formatDayAndTime(createdAt)}`,
    status,
    run: () => go(paths.run(name, dagRunId)),
  }));
}

/** Finds lines of workflow files, and so their steps, that contain the text. */
export function useFileLineMatches(query: string, go: (to: string) => void): readonly Entry[] {
  const bridge = useBridge();
  const found = useQuery({
    queryKey: ['palette', 'lines', query],
    queryFn: () => bridge.call('dags.search', { q: query.slice(0, maxQueryLength), limit: maxFiles }),
    enabled: query.length >= minQueryLength,
    placeholderData: keepPreviousData,
  }).data;
  if (query.length < minQueryLength || !found) return [];
  return found.results.slice(0, maxFiles).flatMap(({ fileName, name, matches: [match] }) => {
    if (!match) return [];
    const line = match.lines[match.lineNumber - match.startLine]?.trim() ?? '';
    return {
      id: `line ${fileName}`,
      title: line,
      note: `${name}, line ${match.lineNumber}`,
      icon: FileSearch,
      run: () => go(withQuery(paths.workflow(fileName), { tab: 'yaml', line: String(match.lineNumber) })),
    };
  });
}
