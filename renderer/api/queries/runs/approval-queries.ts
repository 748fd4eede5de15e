import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OperationInput } from '../../../../core/contract/operations.ts';
import type { Decision } from '../../../../core/model/run/approval.ts';
import type { RunRef } from '../../../../core/model/run/run.ts';
import { useBridge } from '../../bridge.ts';
import { queryKeys } from '../query-keys.ts';

/** Pages that show them follow them besides (`useSystemChanges`), and so does what events of runs tell. */
const refreshMs = 30_000;
const pageSize = 100;
/** Open ones of one answer. */
const mostOpen = 500;

/** All questions that nobody has answered yet, the one that has waited longest first. */
export function useOpenApprovals() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.openApprovals,
    queryFn: () => bridge.call('approvals.list', { decision: 'open', limit: mostOpen }),
    refetchInterval: refreshMs,
    select: ({ approvals }) => approvals.toReversed(),
  });
}

const nobody: ReadonlySet<string> = new Set();

/** Runs that wait for the answer of a person, themselves or below them, as `name/dagRunId`. */
export function useAskingRuns(): ReadonlySet<string> {
  const open = useOpenApprovals().data;
  return useMemo(() => {
    if (open === undefined || open.length === 0) return nobody;
    const runs = open.flatMap(({ name, dagRunId, root }) => [{ name, dagRunId }, root ?? []].flat());
    return new Set(runs.map(({ name, dagRunId }) => `${name}/${dagRunId}`));
  }, [open]);
}

/** Answered questions, the newest first, page by page. @param decision those with this answer only */
export function useAnsweredApprovals(decision?: Decision) {
  const bridge = useBridge();
  return useInfiniteQuery({
    queryKey: [...queryKeys.approvals, 'answered', decision],
    queryFn: ({ pageParam }) =>
      bridge.call('approvals.list', { decision, limit: pageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  });
}

/** What a run has asked, the newest first. */
export function useApprovalsOfRun({ name, dagRunId }: RunRef, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.approvals, 'of', name, dagRunId],
    queryFn: () => bridge.call('approvals.list', { dag: name, dagRunId, limit: pageSize }),
    enabled,
    select: ({ approvals }) => approvals,
  });
}

/** Answers a question. */
export function useAnswerApproval() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<'approvals.answer'>) => bridge.call('approvals.answer', input),
    // A refusal as well: somebody else has answered it meanwhile.
    onSettled: () => void cache.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
}
