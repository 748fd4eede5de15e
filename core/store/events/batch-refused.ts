/** Thrown inside the savepoint of a batch to roll it back; becomes the batch's outcome. */
export class BatchRefused extends Error {
  readonly outcome: 'stale' | 'illegal';

  constructor(outcome: 'stale' | 'illegal', reason: string) {
    super(reason);
    this.outcome = outcome;
  }
}

/** Creates the error for an event that the state does not allow. */
export const illegal = (reason: string): BatchRefused => new BatchRefused('illegal', reason);
