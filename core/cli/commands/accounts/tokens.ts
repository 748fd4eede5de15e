import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { Role } from '../../../contract/operation.ts';
import type { TokenView } from '../../../contract/accounts/tokens.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { readPages } from '../../read-pages.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';

export interface TokenCreateInput extends ResultFormat {
  readonly name: string;
  readonly role: Role;
  /** Default: no expiry. */
  readonly expiresInDays?: number;
}

export interface TokenDeleteInput extends ResultFormat {
  /** Name or id. */
  readonly token: string;
}

/** Lists API tokens, newest first. Secrets are never shown again. */
export function runTokens(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const tokens = await listTokens(context, host);
    if (format === 'json') await printJson(context, { tokens });
    else if (tokens.length === 0) await context.terminal.stderr.write('No tokens.\n');
    else await printLines(context, tabulate(tokens));
    return exitCodes.success;
  });
}

/** Creates an API token. Only the secret is written to stdout, for use in scripts. */
export function runTokenCreate(context: CommandContext, input: TokenCreateInput): Promise<number> {
  const { name, role, expiresInDays } = input;
  return withHost(context, async ({ api }) => {
    const options = { name, role, ...(expiresInDays === undefined ? {} : { expiresInDays }) };
    const created = await api.call('tokens.create', options, context.caller);
    if (input.format === 'json') await printJson(context, created);
    else {
      await context.terminal.stderr.write('Copy the token now. It is not shown again:\n');
      await printLines(context, [created.secret]);
    }
    return exitCodes.success;
  });
}

/** Revokes an API token. */
export function runTokenDelete(context: CommandContext, input: TokenDeleteInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = findToken(await listTokens(context, host), input.token);
    const token = await host.api.call('tokens.delete', { tokenId: id }, context.caller);
    if (input.format === 'json') await printJson(context, token);
    else await printLines(context, [`Deleted token ${token.name}.`]);
    return exitCodes.success;
  });
}

const listTokens = (context: CommandContext, { api }: EngineClient): Promise<TokenView[]> =>
  readPages(async (page) => {
    const { tokens, nextCursor } = await api.call('tokens.list', page, context.caller);
    return { entries: tokens, nextCursor };
  });

/** Finds a token. Throws `not_found`, or `bad_request` if several owners use the name. */
function findToken(tokens: readonly TokenView[], query: string): TokenView {
  const named = tokens.filter(({ id, name }) => id === query || name === query);
  if (named.length > 1) {
    throw new AppError(
      'bad_request',
      `${named.length} tokens are named "${query}". Use a token id instead.`,
      {
        details: { hint: 'Run "engine tokens list" to see them.' },
      },
    );
  }
  const [found] = named;
  if (found !== undefined) return found;
  const nearest = findNearest(
    query,
    tokens.map(({ name }) => name),
  );
  throw new AppError('not_found', `Token "${query}" not found.`, {
    details: nearest === undefined ? { hint: 'Run "engine tokens list" to see all tokens.' } : { nearest },
  });
}

const tabulate = (tokens: readonly TokenView[]): string[] =>
  formatTable(
    ['ID', 'NAME', 'TOKEN', 'ROLE', 'OWNER', 'CREATED', 'EXPIRES', 'LAST USED'],
    tokens.map((token) => [
      token.id,
      oneLine(token.name),
      `${token.hint}…`,
      token.role,
      oneLine(token.owner ?? ''),
      formatDateTime(new Date(token.createdAt)),
      token.expiresAt === undefined ? 'never' : formatDateTime(new Date(token.expiresAt)),
      token.lastUsedAt === undefined ? '' : formatDateTime(new Date(token.lastUsedAt)),
    ]),
  );
