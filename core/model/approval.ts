import { formatActor, type NodeId } from './run-event.ts';
import type { RunRef } from './run.ts';

/** Possible answers to the question of a step. */
export const decisions = ['approved', 'rejected'] as const;
export type Decision = (typeof decisions)[number];

/** The question of a step; strings without secrets. */
export interface Question {
  readonly question: string;
  /** Additional text below the question. */
  readonly details?: string;
  /** Names of the inputs that may be filled in. */
  readonly inputs: readonly string[];
  /** Names of the inputs that approving requires. */
  readonly required: readonly string[];
}

/** An answer to a question. */
export interface Answer {
  readonly decision: Decision;
  /** User that answered, named as in the audit trail. */
  readonly by: string;
  readonly comment?: string;
  /** Values by input name. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A stored question of one attempt of a step; times in epoch milliseconds. It is open as long as it has neither
 * `answer` nor `endedAt`.
 */
export interface ApprovalRecord extends Question {
  /** Increases with the time of the question. */
  readonly id: string;
  readonly run: RunRef;
  /** The outermost run, when `run` is a sub-run. */
  readonly root?: RunRef;
  readonly node: NodeId;
  readonly attempt: number;
  readonly askedAt: number;
  readonly answer?: Answer & { readonly at: number };
  /** When its attempt ended without an answer: it can no longer be answered. */
  readonly endedAt?: number;
}

/** Whether it can still be answered. */
export const isOpen = ({ answer, endedAt }: Pick<ApprovalRecord, 'answer' | 'endedAt'>): boolean =>
  answer === undefined && endedAt === undefined;

/** Returns the command that approves a step; `reject` instead of `approve` rejects it. */
export const answerCommand = ({ name, dagRunId }: RunRef, node: NodeId): string =>
  `engine approve ${name} ${/^[\w.-]+$/.test(node.name) ? node.name : JSON.stringify(node.name)} -r ${dagRunId}`;

/** Describes why a step is waiting, and how to answer; `since` is ISO 8601. */
export const formatApprovalRequest = (run: RunRef, node: NodeId, since: string): string =>
  `approval requested at ${since}; answer on the run page, or with ${answerCommand(run, node)} (or reject)`;

/** `approved by ann: looks good`, `rejected over HTTP`. */
export const formatAnswer = ({ decision, by, comment }: Omit<Answer, 'values'>): string =>
  `${decision} ${formatActor(by)}${comment === undefined ? '' : `: ${comment}`}`;

/** Valid names of an input: `${OUTPUT.inputs.NAME}` reads it. */
export const inputNamePattern = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

/** Most characters of one string of an answer. */
export const maxAnswerTextLength = 10_000;
