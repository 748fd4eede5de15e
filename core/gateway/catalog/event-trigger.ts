import { DatabaseError, type GatewayDatabase } from '../database/database.ts';

/**
 * SQL of event triggers that request a reload after each schema change, including casts and domains, which the example
 * in the PostgREST documentation misses. All changes of a transaction send one NOTIFY at commit. Temporary objects and
 * refreshes of materialized views are ignored. Requires a superuser.
 */
export const eventTriggerSql = `\
CREATE SCHEMA IF NOT EXISTS stepwright;

CREATE OR REPLACE FUNCTION stepwright.notify_change() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_event_trigger_ddl_commands()
    WHERE schema_name IS DISTINCT FROM 'pg_temp' AND command_tag <> 'REFRESH MATERIALIZED VIEW'
  ) THEN
    NOTIFY stepwright, 'reload schema';
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION stepwright.notify_drop() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE NOT is_temporary) THEN
    NOTIFY stepwright, 'reload schema';
  END IF;
END
$$;

DROP EVENT TRIGGER IF EXISTS stepwright_change;
CREATE EVENT TRIGGER stepwright_change ON ddl_command_end EXECUTE FUNCTION stepwright.notify_change();

DROP EVENT TRIGGER IF EXISTS stepwright_drop;
CREATE EVENT TRIGGER stepwright_drop ON sql_drop EXECUTE FUNCTION stepwright.notify_drop();
`;

/**
 * Installs the event trigger. Idempotent.
 * @throws DatabaseError 42501 if the role is not a superuser
 */
export async function installEventTrigger(database: GatewayDatabase): Promise<void> {
  try {
    await database.runScript(eventTriggerSql);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
    const hint =
      'Event triggers require a superuser: run the command as a superuser, or run NOTIFY stepwright after each schema change.';
    throw new DatabaseError(error.message, { code: error.code, detail: error.detail, hint });
  }
}
