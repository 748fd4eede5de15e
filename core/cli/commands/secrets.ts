import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { SecretView } from '../../contract/config.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../command-context.ts';
import { formatDateTime, formatTable, oneLine } from '../format.ts';
import { askHidden } from '../prompts.ts';

export interface SecretInput extends ResultFormat {
  readonly name: string;
}

/** Maximum size of a value; the engine says so again. */
const maxBytes = 65_536;

/** Lists secrets by name, without values. */
export function runSecrets(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { secrets, store } = await api.call('secrets.list', {}, context.caller);
    if (format === 'json') await printJson(context, { secrets, store });
    else {
      if (secrets.length === 0)
        await context.terminal.stderr.write('No secrets. Add the first with: engine secrets set NAME\n');
      else await printLines(context, tabulate(secrets));
      if (store.problem !== undefined) await context.terminal.stderr.write(`warning: ${store.problem}\n`);
    }
    return exitCodes.success;
  });
}

/** Stores a value from stdin, or from a prompt without echo. */
export async function runSecretSet(context: CommandContext, { name, format }: SecretInput): Promise<number> {
  const value = await readValue(context, name);
  return withHost(context, async ({ api }) => {
    const stored = await api.call('secrets.set', { name, value }, context.caller);
    if (format === 'json') await printJson(context, stored);
    else {
      await printLines(context, [`${stored.isNew ? 'Stored' : 'Replaced'} secret ${name}.`]);
      if (stored.keyPlace !== undefined)
        await context.terminal.stderr.write(
          `Values are encrypted with the key in ${stored.keyPlace}. Without it, they cannot be read.\n`,
        );
    }
    return exitCodes.success;
  });
}

/** Deletes a secret. */
export function runSecretDelete(context: CommandContext, { name, format }: SecretInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { secrets } = await api.call('secrets.list', {}, context.caller);
    const stored = secrets.filter(({ changedAt }) => changedAt !== undefined);
    const found = stored.find((secret) => secret.name === name);
    if (found === undefined) throw notFound(name, stored);
    const deleted = await api.call('secrets.delete', { name }, context.caller);
    if (format === 'json') await printJson(context, deleted);
    else {
      await printLines(context, [`Deleted secret ${name}.`]);
      const workflows = [...new Set(found.usedBy.map(({ fileName }) => fileName))];
      if (workflows.length > 0)
        await context.terminal.stderr.write(
          `warning: Workflows that use it will fail to start: ${workflows.join(', ')}\n`,
        );
      if (found.channels.length > 0)
        await context.terminal.stderr.write(
          `warning: Notification channels that use it cannot send: ${found.channels.join(', ')}\n`,
        );
    }
    return exitCodes.success;
  });
}

function notFound(name: string, stored: readonly SecretView[]): AppError {
  const nearest = findNearest(
    name,
    stored.map((secret) => secret.name),
  );
  return new AppError('not_found', `Secret "${name}" not found.`, {
    details: nearest === undefined ? { hint: 'Run "engine secrets list" to see all secrets.' } : { nearest },
  });
}

/** Reads a value. A line break at its end, which `echo` adds, is removed. */
async function readValue({ terminal }: CommandContext, name: string): Promise<string> {
  if (terminal.interactive && process.stdin.isTTY)
    return askHidden(`Value of ${name}: `, 'No value entered. Nothing was changed.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes + 2) throw new AppError('bad_request', 'The value is larger than 64 KiB.');
  }
  const value = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (value !== '') return value;
  throw new AppError('bad_request', 'The value on stdin is empty.', {
    details: { hint: `Pipe the value: engine secrets set ${name} < FILE` },
  });
}

const tabulate = (secrets: readonly SecretView[]): string[] =>
  formatTable(
    ['NAME', 'PROVIDER', 'CHANGED', 'LAST USED', 'USED BY'],
    secrets.map(({ name, provider, changedAt, lastUsedAt, usedBy, channels }) => [
      oneLine(name),
      provider,
      changedAt === undefined ? '' : formatDateTime(new Date(changedAt)),
      lastUsedAt === undefined ? '' : formatDateTime(new Date(lastUsedAt)),
      [
        ...new Set(usedBy.map(({ fileName }) => fileName)),
        ...channels.map((channel) => `channel ${oneLine(channel)}`),
      ].join(', '),
    ]),
  );
