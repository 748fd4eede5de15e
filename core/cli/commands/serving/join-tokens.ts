import { exitCodes } from '../../../base/error-codes.ts';
import type { JoinTokenView } from '../../../contract/installation/workers.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';
import { formatLabels } from './workers.ts';

export interface JoinTokenCreateInput extends ResultFormat {
  readonly note?: string;
  readonly labels?: Record<string, string>;
  /** Default: no expiry. */
  readonly expiresInDays?: number;
}

export interface JoinTokenDeleteInput extends ResultFormat {
  readonly token: string;
}

/** Lists the join tokens of workers. */
export function runJoinTokens(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async ({ api }) => {
    const { tokens } = await api.call('workers.listTokens', {}, context.caller);
    if (format === 'json') await printJson(context, { tokens });
    else if (tokens.length === 0) await context.terminal.stderr.write('No join tokens.\n');
    else await printLines(context, tabulate(tokens));
    return exitCodes.success;
  });
}

/** Creates a join token. Only the secret is written to stdout, for use in scripts. */
export function runJoinTokenCreate(context: CommandContext, input: JoinTokenCreateInput): Promise<number> {
  const { format, note, labels, expiresInDays } = input;
  return withHost(context, async ({ api }) => {
    const options = {
      ...(note === undefined ? {} : { note }),
      ...(labels === undefined ? {} : { labels }),
      ...(expiresInDays === undefined ? {} : { expiresInDays }),
    };
    const created = await api.call('workers.createToken', options, context.caller);
    if (format === 'json') await printJson(context, created);
    else {
      await context.terminal.stderr.write('Copy the token now. It is not shown again:\n');
      await printLines(context, [created.secret]);
    }
    return exitCodes.success;
  });
}

/** Deletes a join token. */
export function runJoinTokenDelete(context: CommandContext, input: JoinTokenDeleteInput): Promise<number> {
  return withHost(context, async ({ api }) => {
    const token = await api.call('workers.deleteToken', { tokenId: input.token }, context.caller);
    if (input.format === 'json') await printJson(context, token);
    else await printLines(context, [`Revoked token ${token.id}. Workers can no longer join with it.`]);
    return exitCodes.success;
  });
}

const tabulate = (tokens: readonly JoinTokenView[]): string[] =>
  formatTable(
    ['ID', 'NOTE', 'LABELS', 'CREATED', 'EXPIRES'],
    tokens.map(({ id, note, labels, createdAt, expiresAt }) => [
      id,
      oneLine(note),
      oneLine(formatLabels(labels)),
      formatDateTime(new Date(createdAt)),
      expiresAt === undefined ? 'never' : formatDateTime(new Date(expiresAt)),
    ]),
  );
