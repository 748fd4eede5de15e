import { describeDoer } from './doer.ts';
import type { NodeId } from './run-event.ts';
import type { RunRef } from './run.ts';

/** What somebody may say to the question of a step. */
export const decisions = ['approved', 'rejected'] as const;
export type Decision = (typeof decisions)[number];

/** What a step asks a person; texts without secrets. */
export interface Question {
  readonly question: string;
  /** Longer text under it. */
  readonly details?: string;
  /** Names of the texts that may be filled in. */
  readonly inputs: readonly string[];
  /** Those of them without which it cannot be approved. */
  readonly required: readonly string[];
}

/** What somebody has said to it. */
export interface Answer {
  readonly decision: Decision;
  /** Who that was, named as in the audit trail. */
  readonly by: string;
  readonly comment?: string;
  /** Texts by the names of inputs. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * A question of one attempt of a step, as it is kept; times in epoch milliseconds. It is open as long as it has
 * neither `answer` nor `endedAt`.
 */
export interface ApprovalRecord extends Question {
  /** Grows with the time at which it was asked. */
  readonly id: string;
  readonly run: RunRef;
  /** The outermost run, when `run` is a sub-run. */
  readonly root?: RunRef;
  readonly node: NodeId;
  readonly attempt: number;
  readonly askedAt: number;
  readonly answer?: Answer & { readonly at: number };
  /** When its attempt ended without an answer: nobody can give one any more. */
  readonly endedAt?: number;
}

/** Whether somebody can still answer it. */
export const isOpen = ({ answer, endedAt }: Pick<ApprovalRecord, 'answer' | 'endedAt'>): boolean =>
  answer === undefined && endedAt === undefined;

/** The command that approves what a step asks; rejecting is another word in it. */
export const answerCommand = ({ name, dagRunId }: RunRef, node: NodeId): string =>
  `engine approve ${name} ${/^[\w.-]+$/.test(node.name) ? node.name : JSON.stringify(node.name)} -r ${dagRunId}`;

/** Why a step waits that has asked a person, and what to do about it; `since` is ISO 8601. */
export const describeAsked = (run: RunRef, node: NodeId, since: string): string =>
  `for approval since ${since}; answer on the run page, or with ${answerCommand(run, node)} (or reject)`;

/** `approved by ann: looks good`, `rejected over HTTP`. */
export const describeAnswer = ({ decision, by, comment }: Omit<Answer, 'values'>): string =>
  `${decision} ${describeDoer(by)}${comment === undefined ? '' : `: ${comment}`}`;

/** What a name of an input may be: `${OUTPUT.inputs.NAME}` reads it. */
export const inputNamePattern = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

/** Characters of one text of an answer, at most. */
export const longestAnswerText = 10_000;
