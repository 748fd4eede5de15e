import { exitCodes } from '../../../base/error-codes.ts';
import { AppError } from '../../../base/errors.ts';
import { findNearest } from '../../../base/text/nearest.ts';
import type { UserView } from '../../../contract/accounts/users.ts';
import type { Role } from '../../../contract/operation.ts';
import {
  type CommandContext,
  printJson,
  printLines,
  type ResultFormat,
  withHost,
} from '../../command-context.ts';
import type { EngineClient } from '../../host/host-api.ts';
import { readPages } from '../../read-pages.ts';
import { readNewPassword } from '../../questions/read-password.ts';
import { oneLine } from '../../report/plain-text.ts';
import { formatTable } from '../../report/table.ts';
import { formatDateTime } from '../../report/time-text.ts';

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
