import { messageOf } from '../../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable } from '../database.ts';

/** Converts an error of the driver. */
export function describeFailure(thrown: unknown): DatabaseError | DatabaseUnavailable {
  if (thrown instanceof DatabaseError || thrown instanceof DatabaseUnavailable) return thrown;
  const { code, severity, detail, hint, position } = (thrown ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof severity === 'string' && typeof code === 'string')
    return new DatabaseError(messageOf(thrown), {
      code,
      detail: typeof detail === 'string' ? detail : null,
      hint: typeof hint === 'string' ? hint : null,
      position: typeof position === 'string' ? Number(position) : null,
    });
  return new DatabaseUnavailable(`Lost the connection to the database: ${messageOf(thrown)}`, 'lost', {
    cause: thrown,
  });
}

/** Converts an error of a connection attempt. */
export function describeConnectFailure(thrown: unknown, place: string): DatabaseError | DatabaseUnavailable {
  const described = describeFailure(thrown);
  if (thrown instanceof DatabaseUnavailable) return thrown;
  const reason = described instanceof DatabaseError ? described.message : listReasons(thrown);
  return new DatabaseUnavailable(`Cannot connect to the database ${place}: ${reason}`, 'unreachable', {
    cause: thrown,
  });
}

/** Joins the reasons of an error. A host name with several addresses fails once per address. */
const listReasons = (thrown: unknown): string =>
  thrown instanceof AggregateError
    ? thrown.errors.map((error: unknown) => messageOf(error)).join('; ')
    : messageOf(thrown);
