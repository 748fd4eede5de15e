import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { prepareServerDatabase } from '../../../core/store/open-store.ts';
import { waitUntilPasses } from '../../harness/resources.ts';
import { sharePostgres } from '../../harness/servers/postgres.ts';

const template = 'empty_home';

/** The server, with a database whose tables exist: to copy it takes a tenth of the time of all migrations. */
let server: Promise<string> | undefined;

async function prepareServer(): Promise<string> {
  const { url } = await sharePostgres(15);
  await administer(url, `CREATE DATABASE ${template}`);
  await prepareServerDatabase(toDatabase(url, template));
  return url;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const toDatabase = (url: string, name: string): string => url.replace(/[^/]+$/, name);

/** Runs `body` with a new database of a server, which is removed afterwards. */
export async function withServerDatabase(body: (url: string) => Promise<void>): Promise<void> {
  const url = await (server ??= prepareServer());
  const name = `home_${randomUUID().slice(0, 8)}`;
  // The connection of the migrations may not be closed yet, and copies are made one after the other.
  await waitUntilPasses(() => administer(url, `CREATE DATABASE ${name} TEMPLATE ${template}`));
  try {
    await body(toDatabase(url, name));
  } finally {
    await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}
