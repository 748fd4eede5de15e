/** A failed request or response with a user-facing message. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
}
