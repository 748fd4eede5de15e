import { CircleCheck, CircleSlash, CircleX, Hand, type LucideIcon } from 'lucide-react';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import { askingWords } from '../../format/asking.ts';

/** How a question stands: nobody has answered it, somebody has, or its attempt ended before. */
export type ApprovalState = 'open' | 'approved' | 'rejected' | 'ended';

export const stateOf = ({ decision, endedAt }: Pick<ApprovalView, 'decision' | 'endedAt'>): ApprovalState =>
  decision ?? (endedAt === undefined ? 'open' : 'ended');

/** Each with a mark and a word of its own. */
export const stateLooks: Readonly<
  Record<ApprovalState, { readonly icon: LucideIcon; readonly word: string }>
> = {
  open: { icon: Hand, word: askingWords },
  approved: { icon: CircleCheck, word: 'Approved' },
  rejected: { icon: CircleX, word: 'Rejected' },
  ended: { icon: CircleSlash, word: 'Not answered' },
};

/** The first line of a question, where there is room for one. */
export const headOf = (question: string): string =>
  question
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? question;
