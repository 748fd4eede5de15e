import { exitCodes } from '../../base/error-codes.ts';
import { AppError } from '../../base/errors.ts';
import { findNearest } from '../../base/text.ts';
import type { UserView, TokenView } from '../../contract/accounts.ts';
import type { Role } from '../../contract/operation.ts';
import { authPaths } from '../../api/auth/identity.ts';
import { openKeyFile, SigningKeys } from '../../api/auth/signing-keys.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
  type OutputFormat,
  findHomePaths,
} from '../command-context.ts';
import { type EngineClient, readPages } from '../host/engine-client.ts';
import { readNewPassword } from '../prompts.ts';
import { oneLine, formatTable, formatDateTime } from '../format.ts';

export interface UserCreateInput extends ResultFormat {
  readonly username: string;
  readonly role: Role;
  /** Reads the password from the first line of stdin; otherwise prompts for it. */
  readonly passwordStdin: boolean;
}

export interface UserUpdateInput extends ResultFormat {
  readonly username: string;
  readonly name?: string;
  readonly role?: Role;
}

export interface UserDeleteInput extends ResultFormat {
  readonly username: string;
}

export interface PasswordResetInput extends ResultFormat {
  readonly username: string;
  readonly passwordStdin: boolean;
}

/** Lists users by name. */
export function runUsers(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const users = await listUsers(context, host);
    if (format === 'json') await printJson(context, { users });
    else if (users.length === 0) {
      await context.terminal.stderr.write(
        'No users. Create the first with: engine users create NAME --role admin\n',
      );
    } else await printLines(context, tabulate(users));
    return exitCodes.success;
  });
}

/** Adds a user. */
export async function runUserCreate(context: CommandContext, input: UserCreateInput): Promise<number> {
  const { username, role } = input;
  const password = await readNewPassword(context, input);
  return withHost(context, async ({ api }) => {
    const user = await api.call('users.create', { username, password, role }, context.caller);
    return print(context, input, user, `Created user ${user.username} (${user.role}).`);
  });
}

/** Changes the name or role of a user. */
export async function runUserUpdate(context: CommandContext, input: UserUpdateInput): Promise<number> {
  const { name, role } = input;
  if (name === undefined && role === undefined)
    throw new AppError('bad_request', 'Nothing to update. Use --name, --role or both.');
  return withHost(context, async (host) => {
    const { id } = await findUser(context, host, input.username);
    const change = { userId: id, ...(name && { username: name }), ...(role && { role }) };
    const user = await host.api.call('users.update', change, context.caller);
    return print(context, input, user, `Updated user ${user.username} (${user.role}).`);
  });
}

/** Removes a user. Their runs remain. */
export function runUserDelete(context: CommandContext, input: UserDeleteInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id } = await findUser(context, host, input.username);
    const user = await host.api.call('users.delete', { userId: id }, context.caller);
    return print(context, input, user, `Deleted user ${user.username}.`);
  });
}

/** Sets a new password for a user. */
export async function runPasswordReset(context: CommandContext, input: PasswordResetInput): Promise<number> {
  return withHost(context, async (host) => {
    const { id, username } = await findUser(context, host, input.username);
    const newPassword = await readNewPassword(context, { ...input, username });
    const user = await host.api.call('users.resetPassword', { userId: id, newPassword }, context.caller);
    return print(
      context,
      input,
      user,
      `Reset the password of ${user.username}. All sessions of this user have ended.`,
    );
  });
}

const listUsers = (context: CommandContext, { api }: EngineClient): Promise<UserView[]> =>
  readPages(async (page) => {
    const { users, nextCursor } = await api.call('users.list', page, context.caller);
    return { entries: users, nextCursor };
  });

/** Finds a user by name, case-insensitively. Rejects with `not_found`. */
async function findUser(context: CommandContext, host: EngineClient, username: string): Promise<UserView> {
  const users = await listUsers(context, host);
  const query = username.toLowerCase();
  const found = users.find((user) => user.username.toLowerCase() === query);
  if (found !== undefined) return found;
  const nearest = findNearest(
    username,
    users.map((user) => user.username),
  );
  throw new AppError('not_found', `User "${username}" not found.`, {
    details: nearest === undefined ? { hint: 'Run "engine users list" to see all users.' } : { nearest },
  });
}

async function print(
  context: CommandContext,
  { format }: ResultFormat,
  user: UserView,
  sentence: string,
): Promise<number> {
  if (format === 'json') await printJson(context, user);
  else await printLines(context, [sentence]);
  return exitCodes.success;
}

const tabulate = (users: readonly UserView[]): string[] =>
  formatTable(
    ['NAME', 'ROLE', 'CREATED', 'CHANGED'],
    users.map(({ username, role, createdAt, updatedAt }) => [
      oneLine(username),
      role,
      formatDateTime(new Date(createdAt)),
      formatDateTime(new Date(updatedAt)),
    ]),
  );

export interface TokenCreateInput extends ResultFormat {
  readonly name: string;
  readonly role: Role;
  /** Default: no expiry. */
  readonly expiresInDays?: number;
}

export interface TokenDeleteInput extends ResultFormat {
  /** Name or ID. */
  readonly token: string;
}

/** Lists API tokens, newest first. Secrets are never shown again. */
export function runTokens(context: CommandContext, { format }: ResultFormat): Promise<number> {
  return withHost(context, async (host) => {
    const tokens = await listTokens(context, host);
    if (format === 'json') await printJson(context, { tokens });
    else if (tokens.length === 0) await context.terminal.stderr.write('No tokens.\n');
    else await printLines(context, tabulateTokens(tokens));
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
      `${named.length} tokens are named "${query}". Use a token ID instead.`,
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

const tabulateTokens = (tokens: readonly TokenView[]): string[] =>
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

export interface RotateKeyInput {
  /** Time for which existing sessions stay valid. Default: until they expire. */
  readonly keepHours?: number;
  readonly format: OutputFormat;
}

/** Signs sessions with a new key. Running servers use it immediately. Throws `invalid_config`. */
export async function runRotateKey(
  context: CommandContext,
  { keepHours, format }: RotateKeyInput,
): Promise<number> {
  const retentionSec = keepHours === undefined ? await readLongestSession(context) : keepHours * 3600;
  const keys = new SigningKeys(
    openKeyFile(authPaths(context.home, (await findHomePaths(context)).data)),
    context.clock,
  );
  const kid = keys.rotate({ retentionSec });
  if (format === 'json') await printJson(context, { kid, keepHours: retentionSec / 3600 });
  else await printLines(context, [`New sessions are signed with key ${kid}; ${formatOldKeys(keepHours)}.`]);
  return exitCodes.success;
}

/** Returns the seconds after which no session signed with the old key is valid. */
async function readLongestSession({ home, environment, configFile, cwd }: CommandContext): Promise<number> {
  const { loadEngineConfig } = await import('../../home/config/engine-config.ts');
  const { config } = loadEngineConfig({ home, environment, file: configFile, cwd });
  return config.auth.builtin.tokenTtl;
}

function formatOldKeys(keepHours: number | undefined): string {
  if (keepHours === undefined) return 'existing sessions stay valid until they expire';
  return keepHours === 0
    ? 'all existing sessions have ended'
    : `existing sessions stay valid for ${keepHours} more hours`;
}
