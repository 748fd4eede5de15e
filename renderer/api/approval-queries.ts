import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CircleCheck, CircleSlash, CircleX, Hand, type LucideIcon } from 'lucide-react';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { Decision } from '../../core/model/approval.ts';
import type { RunRef } from '../../core/model/run.ts';
import type { ApprovalView } from '../../core/contract/run-views.ts';
import { askingLabels } from '../format/values.ts';
import { useBridge } from './bridge.ts';
import { queryKeys } from './query-keys.ts';

/** In addition, pages with approvals follow changes (`useSystemChanges`), and run events update them. */
const refreshMs = 30_000;
const pageSize = 100;
/** Maximum number of open approvals per response. */
const maxOpen = 500;

/** All open approvals, oldest first. */
export function useOpenApprovals() {
  const bridge = useBridge();
  return useQuery({
    queryKey: queryKeys.openApprovals,
    queryFn: () => bridge.call('approvals.list', { decision: 'open', limit: maxOpen }),
    refetchInterval: refreshMs,
    select: ({ approvals }) => approvals.toReversed(),
  });
}

const noRuns: ReadonlySet<string> = new Set();

/** Keys `name/dagRunId` of runs that wait for approval, in themselves or in a sub-run. */
export function useRunsAwaitingApproval(): ReadonlySet<string> {
  const open = useOpenApprovals().data;
  return useMemo(() => {
    if (open === undefined || open.length === 0) return noRuns;
    const runs = open.flatMap(({ name, dagRunId, root }) => [{ name, dagRunId }, root ?? []].flat());
    return new Set(runs.map(({ name, dagRunId }) => `${name}/${dagRunId}`));
  }, [open]);
}

/** Answered approvals, newest first, paged. @param decision filters by this decision */
export function useResolvedApprovals(decision?: Decision) {
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

/** The approvals of a run, newest first. */
export function useRunApprovals({ name, dagRunId }: RunRef, enabled: boolean) {
  const bridge = useBridge();
  return useQuery({
    queryKey: [...queryKeys.approvals, 'of', name, dagRunId],
    queryFn: () => bridge.call('approvals.list', { dag: name, dagRunId, limit: pageSize }),
    enabled,
    select: ({ approvals }) => approvals,
  });
}

/** Answers an approval. */
export function useAnswerApproval() {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: OperationInput<'approvals.answer'>) => bridge.call('approvals.answer', input),
    // Also after an error: another user may have answered it.
    onSettled: () => void cache.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
}

/** State of an approval: open, answered, or closed because its attempt ended first. */
export type ApprovalState = 'open' | 'approved' | 'rejected' | 'ended';

export const getState = ({ decision, endedAt }: Pick<ApprovalView, 'decision' | 'endedAt'>): ApprovalState =>
  decision ?? (endedAt === undefined ? 'open' : 'ended');

/** Icon and label of each state. */
export const stateStyles: Readonly<
  Record<ApprovalState, { readonly icon: LucideIcon; readonly word: string }>
> = {
  open: { icon: Hand, word: askingLabels },
  approved: { icon: CircleCheck, word: 'Approved' },
  rejected: { icon: CircleX, word: 'Rejected' },
  ended: { icon: CircleSlash, word: 'Not answered' },
};

/** Returns the first line of a question, for compact lists. */
export const getFirstLine = (question: string): string =>
  question
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? question;
