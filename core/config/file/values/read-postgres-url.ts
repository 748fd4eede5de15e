import type { ReadValue } from '../config-key.ts';
import { scalar } from './read-values.ts';

/**
 * Reads the URL of a PostgreSQL server.
 * @param otherwise what an absent value means, to follow "or"
 */
export const postgresUrl = (otherwise: string): ReadValue<string> =>
  scalar(
    `a PostgreSQL URL, such as postgres://user:password@host:5432/database (write @ in a password as %40), or ${otherwise}`,
    (written) =>
      URL.canParse(written) && /^postgres(ql)?:$/.test(new URL(written).protocol) ? written : undefined,
  );
