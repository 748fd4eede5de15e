/** Who a request is carried out for. */
export interface Requester {
  /** Role of the database; absent: that of the connection. */
  readonly role?: string;
  /** JSON text, for `request.jwt.claims`. */
  readonly claims: string;
  /** Whether a token has proved it. */
  readonly isAuthenticated: boolean;
}
