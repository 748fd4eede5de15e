import Type, { type Static } from 'typebox';
import type { Expectation } from './expectation-format.ts';

/** Something done with the case's run; exactly one of `retry`, `startAgain` and `restartWhen`. */
export const RerunFields = Type.Object(
  {
    /** Let it go on: all that did not succeed, or from a step. */
    retry: Type.Optional(
      Type.Object(
        { step: Type.Optional(Type.String()), downstream: Type.Optional(Type.Boolean()) },
        { additionalProperties: false },
      ),
    ),
    /** Start a new run with its workflow and parameters. */
    startAgain: Type.Optional(
      Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false }),
    ),
    /**
     * File that a step writes into the workflow's folder: once it is there, the run is restarted. Comes first, in
     * place of `stopWhen`.
     */
    restartWhen: Type.Optional(Type.String()),
    /** Texts of files written beforehand, by path from the workflow's folder. */
    files: Type.Optional(Type.Record(Type.String(), Type.String())),
    expect: Type.Object({}),
  },
  { additionalProperties: false },
);

/** What must come of it is a run, with a `plan` when it goes on, or a refusal. */
export interface Rerun extends Omit<Static<typeof RerunFields>, 'expect'> {
  readonly expect: Expectation;
}

const kinds = ['retry', 'startAgain', 'restartWhen'] as const;
type RerunKind = (typeof kinds)[number];

/** Throws when an entry does not say one thing to do. */
export function kindOf(rerun: Rerun, index: number): RerunKind {
  const [kind, ...others] = kinds.filter((key) => rerun[key] !== undefined);
  if (kind === undefined || others.length > 0) throw new Error(`it needs exactly one of ${kinds.join(', ')}`);
  if (kind === 'restartWhen' && index > 0) throw new Error('restartWhen can only come first');
  return kind;
}
