/** Thrown inside the savepoint of a batch to undo it; becomes the batch's outcome. */
export class BatchRefused extends Error {
  readonly outcome: 'stale' | 'illegal';

  constructor(outcome: 'stale' | 'illegal', reason: string) {
    super(reason);
    this.outcome = outcome;
  }
}

/** The state does not allow an event. */
export const illegal = (reason: string): BatchRefused => new BatchRefused('illegal', reason);
