/** Thrown inside the savepoint of a batch to roll it back; becomes the batch's outcome. */
export class BatchRejected extends Error {
  readonly outcome: 'stale' | 'illegal';

  constructor(outcome: 'stale' | 'illegal', reason: string) {
    super(reason);
    this.outcome = outcome;
  }
}

/** Creates the error for an event that the state does not allow. */
export const illegalEvent = (reason: string): BatchRejected => new BatchRejected('illegal', reason);
