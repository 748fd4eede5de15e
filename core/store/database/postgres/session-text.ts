import type { CustomTypesConfig } from 'pg';
import type { SqlValue } from '../database.ts';
import { quoteName, type SessionSettings } from './messages.ts';

/** The oldest server version that supports the schema. */
export const minServerVersion = 15;

/** Milliseconds. */
const statementTimeoutMs = 25_000;

export const sessionInfoSql = /* sql */ `
  SELECT CAST(current_setting('server_version_num') AS INTEGER), current_setting('server_encoding'), pg_is_in_recovery()`;

/**
 * Returns the statements that set up a session. JIT is off, because compiling queries would cost more than running any
 * of ours.
 */
export const setUpText = ({
  schema,
  timings,
}: Pick<SessionSettings, 'schema' | 'timings'>): string => /* sql */ `
  SET search_path TO ${quoteName(schema)};
  SET lock_timeout = ${timings.databaseLock};
  SET statement_timeout = ${statementTimeoutMs};
  SET idle_in_transaction_session_timeout = ${timings.idleTransaction};
  SET client_min_messages = warning;
  SET synchronous_commit = on;
  SET jit = off`;

/** Type OIDs of PostgreSQL. */
const types = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  float4: 700,
  float8: 701,
  numeric: 1700,
};
const numbers = new Set([
  types.int8,
  types.int2,
  types.int4,
  types.oid,
  types.float4,
  types.float8,
  types.numeric,
]);

const toText = (value: string): SqlValue => value;
const toBit = (value: string): SqlValue => (value === 't' ? 1 : 0);
/** Copies the bytes: a part of a shared buffer would be sent with all of it. */
const toBytes = (value: string): SqlValue => Uint8Array.from(Buffer.from(value.slice(2), 'hex'));

/** Values as in SQLite: numbers as numbers, true as 1. */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (type: number) => {
    if (numbers.has(type)) return Number;
    if (type === types.bool) return toBit;
    return type === types.bytea ? toBytes : toText;
  },
};
