import { hidePassword, readConnectionUrl } from '../../../gateway/database/server/connection-settings.ts';
import { unusableServerError } from './postgres-error.ts';

const usualSchema = 'stepwright';
/** The URL parameter that names another schema. */
export const schemaParameter = 'schema';

/** Where a database on a server is. */
export interface PostgresLocation {
  /** URL for the driver. */
  readonly url: string;
  readonly schema: string;
  /** URL for display, without the password. */
  readonly name: string;
}

/**
 * Parses `postgres://user:password@host:port/database?sslmode=…&schema=…`.
 * @throws AppError `home_unusable`; the message does not contain the password
 */
export function readPostgresUrl(text: string): PostgresLocation {
  const name = hidePassword(text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schema = url?.searchParams.get(schemaParameter) ?? usualSchema;
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema))
    throw unusableServerError(name, `invalid schema name "${schema}": use lowercase letters, digits and _`);
  url?.searchParams.delete(schemaParameter);
  const location = { url: url?.href ?? text, schema, name };
  try {
    readConnectionUrl(location.url);
  } catch (error) {
    throw unusableServerError(name, (error as Error).message.replace(/\.$/, ''), error);
  }
  return location;
}
