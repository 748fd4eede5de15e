import { messageOf } from '../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable } from '../../store/sql/database.ts';

/** Converts an error of the driver. */
export function describeFailure(error: unknown): DatabaseError | DatabaseUnavailable {
  if (error instanceof DatabaseError || error instanceof DatabaseUnavailable) return error;
  const { code, severity, detail, hint, position } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof severity === 'string' && typeof code === 'string')
    return new DatabaseError(messageOf(error), {
      code,
      detail: typeof detail === 'string' ? detail : null,
      hint: typeof hint === 'string' ? hint : null,
      position: typeof position === 'string' ? Number(position) : null,
    });
  return new DatabaseUnavailable(`Lost the connection to the database: ${messageOf(error)}`, 'lost', {
    cause: error,
  });
}

/** Converts an error of a connection attempt. */
export function describeConnectFailure(error: unknown, url: string): DatabaseError | DatabaseUnavailable {
  const described = describeFailure(error);
  if (error instanceof DatabaseUnavailable) return error;
  const reason = described instanceof DatabaseError ? described.message : listReasons(error);
  return new DatabaseUnavailable(`Cannot connect to the database ${url}: ${reason}`, 'unreachable', {
    cause: error,
  });
}

/** Joins the reasons of an error. A host name with several addresses fails once per address. */
const listReasons = (cause: unknown): string =>
  cause instanceof AggregateError
    ? cause.errors.map((error: unknown) => messageOf(error)).join('; ')
    : messageOf(cause);
