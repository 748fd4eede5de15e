import type { LaunchFailure } from '../launch/launcher.ts';

/** Why a file for output could not be opened; `cause` is the system error. */
export class OutputOpenError extends Error {
  readonly failure: LaunchFailure;

  constructor(failure: LaunchFailure, cause: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}
