/** Which status of HTTP an SQLSTATE, or the beginning of one, comes to. */
export interface StatusRule {
  /** Of the SQLSTATE. */
  readonly prefix: string;
  /** Must match the message as well. */
  readonly message?: RegExp;
  readonly status: number;
  /** When no token has proved who asks. */
  readonly anonymousStatus?: number;
  readonly meaning: string;
}

/** The first that fits holds; 400 when none does. */
export const statusRules: readonly StatusRule[] = [
  { prefix: '08', status: 503, meaning: 'The connection failed.' },
  { prefix: '09', status: 500, meaning: 'An action of a trigger failed.' },
  { prefix: '0L', status: 403, meaning: 'Who grants may not.' },
  { prefix: '0P', status: 403, meaning: 'The role is not valid.' },
  { prefix: '23503', status: 409, meaning: 'A foreign key would point nowhere.' },
  { prefix: '23505', status: 409, meaning: 'A unique key is there already.' },
  { prefix: '25006', status: 405, meaning: 'Something is written in a request that may only read.' },
  {
    prefix: '21000',
    message: /requires a WHERE clause$/,
    status: 400,
    meaning: 'A write without filters, where an extension of the database forbids it.',
  },
  {
    prefix: '21000',
    message: /command cannot affect row a second time$/,
    status: 400,
    meaning: 'Two rows of an upsert have the same key.',
  },
  { prefix: '21000', status: 500, meaning: 'A subquery gave more than one row.' },
  {
    prefix: '22023',
    message: /^role ".*" does not exist$/s,
    status: 401,
    meaning: 'The token names a role that there is not.',
  },
  { prefix: '25', status: 500, meaning: 'The state of the transaction is wrong.' },
  { prefix: '28', status: 403, meaning: 'The role may not log in.' },
  { prefix: '2D', status: 500, meaning: 'The transaction is ended wrongly.' },
  { prefix: '38', status: 500, meaning: 'An external routine failed.' },
  { prefix: '39', status: 500, meaning: 'An external routine was called wrongly.' },
  { prefix: '3B', status: 500, meaning: 'A savepoint is wrong.' },
  { prefix: '40', status: 500, meaning: 'The transaction was rolled back.' },
  { prefix: '53400', status: 500, meaning: 'A limit of the configuration is exceeded.' },
  { prefix: '53', status: 503, meaning: 'The database lacks resources.' },
  { prefix: '54000', status: 400, meaning: 'A value is too long for an index or a search.' },
  { prefix: '54011', status: 400, meaning: 'More columns are selected than a statement can have.' },
  { prefix: '54023', status: 400, meaning: 'More arguments are given than a function can have.' },
  { prefix: '54', status: 500, meaning: 'The statement is too complex.' },
  {
    prefix: '55000',
    message: /^cannot (?:insert into|update|delete from|merge into) /,
    status: 405,
    meaning: 'The view cannot be written.',
  },
  { prefix: '55', status: 500, meaning: 'An object is not in a state for this.' },
  { prefix: '57P01', status: 503, meaning: 'The database is shutting down.' },
  { prefix: '57', status: 500, meaning: 'Somebody intervened, or the statement took too long (57014).' },
  { prefix: '58', status: 500, meaning: 'The system of the database failed.' },
  { prefix: 'F0', status: 500, meaning: 'The configuration file of the database is wrong.' },
  { prefix: 'HV', status: 500, meaning: 'A foreign data wrapper failed.' },
  { prefix: 'P0001', status: 400, meaning: 'A function said RAISE.' },
  { prefix: 'P0', status: 500, meaning: 'PL/pgSQL failed.' },
  { prefix: 'XX', status: 500, meaning: 'The database itself failed.' },
  {
    prefix: '42883',
    message: /^function xmlagg\(/,
    status: 406,
    meaning: 'The rows cannot be given as XML.',
  },
  { prefix: '42883', status: 404, meaning: 'There is no function of these arguments.' },
  { prefix: '42P01', status: 404, meaning: 'There is no such table.' },
  { prefix: '42P17', status: 500, meaning: 'A policy or a definition refers to itself without end.' },
  {
    prefix: '42501',
    status: 403,
    anonymousStatus: 401,
    meaning: 'The role has no right to this; 401 for those who sent no token.',
  },
];

/** @param error SQLSTATE and message */
export function statusOfSqlState(
  error: { readonly code: string; readonly message: string },
  isAuthenticated: boolean,
): number {
  const rule = statusRules.find(
    ({ prefix, message }) => error.code.startsWith(prefix) && (message?.test(error.message) ?? true),
  );
  if (rule === undefined) return 400;
  return isAuthenticated ? rule.status : (rule.anonymousStatus ?? rule.status);
}
