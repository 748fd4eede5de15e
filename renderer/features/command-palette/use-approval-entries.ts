import { Hand } from 'lucide-react';
import { useOpenApprovals } from '../../api/queries/runs/approval-queries.ts';
import { paths, withQuery } from '../../app/paths.ts';
import { firstLineOf } from '../approvals/approval-state.ts';
import type { Entry } from './entries.ts';

/** Returns an entry per open approval, which opens it. */
export const useApprovalEntries = (go: (to: string) => void): readonly Entry[] =>
  (useOpenApprovals().data ?? []).map(({ id, name, step, question }) => ({
    id: `approval ${id}`,
    title: firstLineOf(question),
    note: `${name} › ${step}`,
    icon: Hand,
    words: 'approve reject answer approval question',
    run: () => go(withQuery(paths.approvals, { approval: id })),
  }));
