import type { ReadValue } from '../config-key.ts';
import { scalar } from './read-values.ts';

/**
 * The address of a PostgreSQL server.
 * @param otherwise what leaving it out means, as it follows "or"
 */
export const postgresUrl = (otherwise: string): ReadValue<string> =>
  scalar(
    `the address of a PostgreSQL server, such as postgres://user:password@host:5432/database (a @ in a password is %40), or ${otherwise}`,
    (written) =>
      URL.canParse(written) && /^postgres(ql)?:$/.test(new URL(written).protocol) ? written : undefined,
  );
