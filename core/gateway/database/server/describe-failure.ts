import { messageOf } from '../../../base/errors.ts';
import { DatabaseError, DatabaseUnavailable } from '../database.ts';

/** What the driver throws, in the words of the port. */
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

/** What hinders a connection from being made. */
export function describeConnectFailure(thrown: unknown, place: string): DatabaseError | DatabaseUnavailable {
  const described = describeFailure(thrown);
  if (thrown instanceof DatabaseUnavailable) return thrown;
  const reason = described instanceof DatabaseError ? described.message : listReasons(thrown);
  return new DatabaseUnavailable(`Cannot connect to the database ${place}: ${reason}`, 'unreachable', {
    cause: thrown,
  });
}

/** A name with several addresses fails once for each. */
const listReasons = (thrown: unknown): string =>
  thrown instanceof AggregateError
    ? thrown.errors.map((error: unknown) => messageOf(error)).join('; ')
    : messageOf(thrown);
