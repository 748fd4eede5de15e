import { CircleCheck, CircleSlash, CircleX, Hand, type LucideIcon } from 'lucide-react';
import type { ApprovalView } from '../../../core/contract/run-views.ts';
import { askingLabels } from '../../format/values.ts';

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
