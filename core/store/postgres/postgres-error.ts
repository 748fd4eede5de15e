import { AppError } from '../../base/errors.ts';
import { permanentCodes, PostgresFailure } from './requests.ts';

/** Creates the error for a damaged database on a server. */
export const damagedServerError = (name: string, finding: string, cause?: unknown): AppError =>
  new AppError(
    'database_corrupt',
    `The database ${name} is damaged: ${finding}. ` +
      'Stop all hosts that use it, and restore a backup with the PostgreSQL tools.',
    { details: { database: name, finding }, cause },
  );

/** Creates the error for a server, a database or a schema that cannot be used as it is. */
export const unusableServerError = (name: string, reason: string, cause?: unknown): AppError =>
  new AppError('home_unusable', `Cannot use the database ${name}: ${reason}.`, {
    details: { database: name },
    cause,
  });

/**
 * Converts an error of a database on a server to an application error with a solution; returns anything else
 * unchanged.
 */
export function toPostgresError(error: unknown, name: string): unknown {
  if (error instanceof SyntaxError)
    return damagedServerError(name, `a stored value is not JSON (${error.message})`, error);
  if (!(error instanceof PostgresFailure)) return error;
  const { kind } = error.failure;
  if (kind === 'connect') return toConnectError(error, name);
  return kind === 'lost' ? engineLostError(error, name) : toStatementError(error, name);
}

const toStoreError = (
  error: 'storage_full' | 'home_unusable' | 'unavailable',
  text: string,
  cause: PostgresFailure,
  name: string,
): AppError =>
  new AppError(error, text, { details: { database: name, sqlstate: cause.failure.code }, cause });

/** What to do about a rejected connection, unless the message says it. */
function findRemedy(code: string): string {
  if (code.startsWith('28')) return '; check the user and the password in the URL (ENGINE_DATABASE_URL)';
  if (code === '3D000') return '; create it, or use the URL of another database';
  return code === '42501' ? '; grant its user CONNECT on the database' : '';
}

function toConnectError(error: PostgresFailure, name: string): AppError {
  const { code, message } = error.failure;
  if (permanentCodes.test(code)) return unusableServerError(name, message + findRemedy(code), error);
  if (code === 'standby') {
    const text = `Cannot write to the database ${name}: ${message}. Work continues when it is the primary again.`;
    return toStoreError('unavailable', text, error, name);
  }
  if (code === '53300') {
    const text = `Cannot connect to the database ${name}: all of its connections are in use (${message}). Raise max_connections, or use a pooler; work continues when one is free.`;
    return toStoreError('unavailable', text, error, name);
  }
  return toStoreError(
    'unavailable',
    `Cannot reach the database ${name}: ${message}. ` +
      'Check the server and the network; work continues when it responds.',
    error,
    name,
  );
}

function engineLostError(error: PostgresFailure, name: string): AppError {
  const summary = `Lost the connection to the database ${name} (${error.failure.message})`;
  const end = error.isCommit
    ? 'while a change was being committed. Check whether it was saved before you repeat it.'
    : 'before the change was committed. Try again.';
  return toStoreError('unavailable', `${summary} ${end}`, error, name);
}

function toStatementError(error: PostgresFailure, name: string): unknown {
  const { code, message } = error.failure;
  if (/^(53100|58030)/.test(code)) {
    const text = `Cannot write to the database ${name} (${message}). Free some space on the disk of the server.`;
    return toStoreError('storage_full', text, error, name);
  }
  if (code === '55P03') {
    const text = `The database ${name} was locked by another process for too long. Try again.`;
    return toStoreError('unavailable', text, error, name);
  }
  if (code === '25006') {
    const text = `The database ${name} is read-only (${message}), for example a standby. Try again when it is writable.`;
    return toStoreError('unavailable', text, error, name);
  }
  if (/^(40|53|57)/.test(code))
    return toStoreError('unavailable', `The database ${name} is busy (${message}). Try again.`, error, name);
  if (code.startsWith('42501')) {
    const remedy = message.includes('for database')
      ? 'Grant its user CREATE on the database, or create the schema for it.'
      : 'Grant privileges on the schema to its user, or make the user the owner.';
    const text = `Cannot use the database ${name}: ${message}. ${remedy}`;
    return toStoreError('home_unusable', text, error, name);
  }
  return /^XX00[12]/.test(code) ? damagedServerError(name, message, error) : error;
}
