import type { Answer, ApprovalRecord, Decision } from '../../model/approval.ts';
import type { NodeId } from '../../model/run-event.ts';

/** Filter for questions; all fields that are set must match. */
export interface ApprovalFilter {
  /** Unanswered questions, or questions with this answer. */
  readonly state?: 'open' | Decision | undefined;
  /** Name of the run. */
  readonly name?: string | undefined;
  readonly dagRunId?: string | undefined;
  /** Only questions with a lower id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A page of questions, newest first. */
export interface ApprovalPage {
  readonly approvals: readonly ApprovalRecord[];
  /** Id of the last question of the page; absent on the last page. */
  readonly next?: string | undefined;
}

/** Stores the questions of steps. The event that a question was asked belongs to its run. */
export interface ApprovalStore {
  list(filter: ApprovalFilter): ApprovalPage;
  find(id: string): ApprovalRecord | undefined;
  /** Returns the question of an attempt, if it has one. */
  findOf(runKey: number, node: NodeId, attempt: number): ApprovalRecord | undefined;
  /**
   * Stores an answer and its event, whichever host drives the run. Nothing changes when it throws.
   * @throws `not_found`, or `conflict` when the question has an answer or its attempt has ended
   */
  answer(id: string, answer: Answer, at: number): ApprovalRecord;
  /** Returns a string that changes whenever a question is asked, answered or ends. */
  mark(): string;
}
