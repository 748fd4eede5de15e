/**
 * An error response in PostgREST's format: code, message, details, hint. `PGRSTnnn` codes come from the gateway,
 * others are SQLSTATEs.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  readonly code: string;
  /** A string, or data for codes that list candidates. */
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly details?: unknown;
      readonly hint?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? defaultHintFor(code, message) ?? null;
    this.headers = more.headers ?? {};
  }
}

const hints: Readonly<Record<string, string>> = {
  PGRST000:
    'Check that the database is reachable. gateway.databaseUrl sets its URL; the default is the embedded database.',
  PGRST101: 'Call a function with POST, or with GET if it is read-only.',
  PGRST103: 'Request a range of existing rows. Prefer: count=exact returns the total in Content-Range.',
  PGRST115: 'Use the same primary key values in the body as in the URL.',
  PGRST116: 'Filter for a single row, or accept application/json to get a list.',
  PGRST117: 'Use one of the methods in the Allow header.',
  PGRST118: 'Order the embedded rows instead, such as author.order=name.',
  PGRST122: 'Fix the preference, remove it, or remove handling=strict.',
  PGRST124: 'Use narrower filters, or raise max-affected.',
  PGRST200: 'New foreign keys are available after a reload of the schema cache.',
  PGRST204: 'New columns are available after a reload of the schema cache.',
  PGRST301: 'Send a token that can be verified with gateway.jwtKey.',
  PGRST303: 'Get a new token for this gateway and for a role of the database.',
};

/** Errors for which PostgreSQL gives no hint, with the hints to add. */
const patterns: readonly (readonly [code: string, message: RegExp, hint: string])[] = [
  [
    '25006',
    /read-only transaction/,
    'Use POST, PATCH, PUT or DELETE for writes. Functions that write must be VOLATILE and called with POST.',
  ],
  [
    '42501',
    /^permission denied to set role/,
    'GRANT the role to the role of the connection, or use another role in the token.',
  ],
  [
    '42501',
    /^permission denied/,
    'GRANT the privilege to the role of the request, or send a token of a role that has it.',
  ],
  ['22023', /^role .* does not exist$/, 'Use an existing database role in the token, or create this role.'],
  [
    '57014',
    /statement timeout/,
    'Simplify the statement, or raise gateway.statementTimeout or the statement_timeout of the role.',
  ],
];

/** Returns a hint for an error without one; undefined if there is none. */
const defaultHintFor = (code: string, message: string): string | undefined =>
  Object.hasOwn(hints, code)
    ? hints[code]
    : patterns.find(([of, pattern]) => of === code && pattern.test(message))?.[2];
