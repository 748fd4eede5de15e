import { AppError } from '../../../base/errors.ts';
import { PostgresFailure } from './session-line.ts';

/** The refusal for a database on a server that cannot be trusted any more. */
export const damagedServer = (name: string, finding: string, cause?: unknown): AppError =>
  new AppError(
    'database_corrupt',
    `The database ${name} is damaged: ${finding}. Nothing in it was changed. ` +
      'Stop all hosts that use it and bring back a backup of it with the tools of PostgreSQL.',
    { details: { database: name, finding }, cause },
  );

/** The refusal for a server, a database or a schema that cannot be used as it is. */
export const unusableServer = (name: string, why: string, cause?: unknown): AppError =>
  new AppError('home_unusable', `The database ${name} cannot be used: ${why}.`, {
    details: { database: name },
    cause,
  });

/** Turns what a database on a server throws into a refusal that says what to do; anything else is returned as it is. */
export function describePostgresError(thrown: unknown, name: string): unknown {
  if (thrown instanceof SyntaxError)
    return damagedServer(name, `a stored value is not JSON (${thrown.message})`, thrown);
  if (!(thrown instanceof PostgresFailure)) return thrown;
  const { kind } = thrown.failure;
  if (kind === 'connect') return describeConnect(thrown, name);
  return kind === 'lost' ? describeLoss(thrown, name) : describeStatement(thrown, name);
}

const refuse = (
  refusal: 'storage_full' | 'home_unusable' | 'unavailable',
  text: string,
  thrown: PostgresFailure,
  name: string,
): AppError =>
  new AppError(refusal, text, { details: { database: name, sqlstate: thrown.failure.code }, cause: thrown });

/** What no waiting changes: wrong names and passwords, refused by the server, and what is said of it by ourselves. */
const settled = /^(28|3D|42|too_old|wrong_encoding|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

function describeConnect(thrown: PostgresFailure, name: string): AppError {
  const { code, message } = thrown.failure;
  if (settled.test(code)) return unusableServer(name, message, thrown);
  if (code === 'standby') {
    const text = `The database ${name} cannot be written: ${message}. Work goes on as soon as it is the primary itself.`;
    return refuse('unavailable', text, thrown, name);
  }
  return refuse(
    'unavailable',
    `The database ${name} cannot be reached: ${message}. ` +
      'Check that its server runs and that this machine gets there; work goes on as soon as it answers.',
    thrown,
    name,
  );
}

function describeLoss(thrown: PostgresFailure, name: string): AppError {
  const what = `The connection to the database ${name} was lost (${thrown.failure.message})`;
  const end = thrown.isCommit
    ? 'while a change was being kept: nobody knows whether it was. Look before you do it again.'
    : 'and what was under way has not been done. Try again.';
  return refuse('unavailable', `${what} ${end}`, thrown, name);
}

function describeStatement(thrown: PostgresFailure, name: string): unknown {
  const { code, message } = thrown.failure;
  if (/^(53100|58030)/.test(code)) {
    const text = `The database ${name} cannot be written (${message}). Free some space on the disk of its server.`;
    return refuse('storage_full', text, thrown, name);
  }
  if (code === '55P03') {
    const text = `Another process kept the database ${name} locked for too long. Try again.`;
    return refuse('unavailable', text, thrown, name);
  }
  if (code === '25006') {
    const text = `The database ${name} only reads at the moment (${message}): it is a standby, or was told to. Try again when it writes.`;
    return refuse('unavailable', text, thrown, name);
  }
  if (/^(40|53|57)/.test(code))
    return refuse('unavailable', `The database ${name} is busy (${message}). Try again.`, thrown, name);
  if (code.startsWith('42501')) {
    const text = `The database ${name} cannot be used: ${message}. Give its user the rights on the schema, or make it the owner.`;
    return refuse('home_unusable', text, thrown, name);
  }
  return /^XX00[12]/.test(code) ? damagedServer(name, message, thrown) : thrown;
}
