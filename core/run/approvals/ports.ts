import type { Answer, ApprovalRecord, Decision } from '../../model/run/approval.ts';
import type { NodeId } from '../../model/run/run-event.ts';

/** Which questions to list; all given fields must hold. */
export interface ApprovalFilter {
  /** Open ones, or those with this answer. */
  readonly state?: 'open' | Decision | undefined;
  /** Name of the run. */
  readonly name?: string | undefined;
  readonly dagRunId?: string | undefined;
  /** Only those with a lower id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Questions that were found, newest first. */
export interface ApprovalPage {
  readonly approvals: readonly ApprovalRecord[];
  /** Id of the last of them; absent at the end. */
  readonly next?: string | undefined;
}

/** Where questions of steps are kept; that they were asked is an event of their run. */
export interface ApprovalStore {
  list(filter: ApprovalFilter): ApprovalPage;
  find(id: string): ApprovalRecord | undefined;
  /** The question of an attempt, if it has asked one. */
  findOf(runKey: number, node: NodeId, attempt: number): ApprovalRecord | undefined;
  /**
   * Keeps an answer, and the event that tells of it, whoever drives the run. Throws `not_found`, and `conflict` when
   * it has an answer or its attempt has ended; then nothing is changed.
   */
  answer(id: string, answer: Answer, at: number): ApprovalRecord;
  /** Another text than before when a question was asked, answered or has ended. */
  mark(): string;
}
