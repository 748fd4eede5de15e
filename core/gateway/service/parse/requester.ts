/** The identity of a request. */
export interface Requester {
  /** Database role. Default: the role of the connection. */
  readonly role?: string;
  /** JSON string for `request.jwt.claims`. */
  readonly claims: string;
  /** Whether a token was verified. */
  readonly isAuthenticated: boolean;
}
