/** Why a request or its answer counts as failed, in a sentence for people. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
}
