import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/operation.ts';
import type { Passwords } from './passwords.ts';
import { checkPassword, checkUsername, normalizeUsername, type AuthPaths } from './identity.ts';
import type { StoredUser } from '../../contract/home-files.ts';
import { JsonFile } from '../../store/json-file.ts';

/** A user of the file, without secrets. Times are epoch milliseconds. */
export type User = Omit<StoredUser, 'passwordHash' | 'sessionsEndedAt'>;

/** Users of the home, in a file shared by several processes. */
export class Users {
  readonly #file: UserFile;
  readonly #passwords: Passwords;
  readonly #clock: Clock;

  constructor(file: UserFile, passwords: Passwords, clock: Clock) {
    this.#file = file;
    this.#passwords = passwords;
    this.#clock = clock;
  }

  /** Lists all users by name. */
  list(): User[] {
    const byName = (a: User, b: User): number =>
      normalizeUsername(a.username) < normalizeUsername(b.username) ? -1 : 1;
    return this.#file.read().users.map(withoutSecrets).sort(byName);
  }

  /** Throws `not_found`. */
  get(id: string): User {
    return withoutSecrets(requireUser(this.#file.read().users, id));
  }

  find(id: string): StoredUser | undefined {
    return this.#file.read().users.find((user) => user.id === id);
  }

  /** Finds a user by name, case-insensitively. */
  findByName(username: string): StoredUser | undefined {
    const folded = normalizeUsername(username);
    return this.#file.read().users.find((user) => normalizeUsername(user.username) === folded);
  }

  /** Rejects with `bad_request` or `already_exists`. */
  async create(input: { username: string; password: string; role: Role }): Promise<User> {
    const { username, password, role } = input;
    checkUsername(username);
    checkPassword(password);
    assertUsernameFree(this.#file.read().users, username);
    const passwordHash = await this.#passwords.hash(password);
    const now = this.#clock.now();
    const user = {
      id: randomUUID(),
      username,
      role,
      passwordHash,
      createdAt: now,
      updatedAt: now,
      sessionsEndedAt: 0,
    };
    return this.#file.change((content) => {
      assertUsernameFree(content.users, username);
      return { content: { ...content, users: [...content.users, user] }, result: withoutSecrets(user) };
    });
  }

  /** Throws `not_found`, `bad_request`, `already_exists`, or `forbidden` if it would remove the last admin. */
  update(id: string, { username, role }: { username?: string | undefined; role?: Role | undefined }): User {
    if (username !== undefined) checkUsername(username);
    return this.#change(id, (user, all) => {
      if (username !== undefined) assertUsernameFree(all, username, id);
      if (role !== undefined && role !== 'admin') assertAdminRemains(all, user, 'must keep this role');
      return { ...user, username: username ?? user.username, role: role ?? user.role };
    });
  }

  /** Throws `not_found`, or `forbidden` for the last admin. */
  delete(id: string): User {
    return this.#file.change((content) => {
      const user = requireUser(content.users, id);
      assertAdminRemains(content.users, user, 'cannot be deleted');
      const users = content.users.filter((other) => other.id !== id);
      return { content: { ...content, users }, result: withoutSecrets(user) };
    });
  }

  /** Sets a new password and ends all sessions. Rejects with `not_found` or `bad_request`. */
  async setPassword(id: string, password: string): Promise<User> {
    checkPassword(password);
    requireUser(this.#file.read().users, id);
    const passwordHash = await this.#passwords.hash(password);
    return this.#change(id, (user) => ({
      ...user,
      passwordHash,
      sessionsEndedAt: this.#nextSessionsEndedAt(user),
    }));
  }

  /** Ends all sessions. Throws `not_found`. */
  endSessions(id: string): void {
    this.#change(id, (user) => ({ ...user, sessionsEndedAt: this.#nextSessionsEndedAt(user) }));
  }

  /** Returns the user with this name and password; takes as long if there is none. */
  async verify(username: string, password: string): Promise<StoredUser | undefined> {
    const user = this.findByName(username);
    const isRight = await this.#passwords.matches(password, user?.passwordHash);
    return isRight ? user : undefined;
  }

  /** Rehashes a password at the current cost, unless it has been changed. */
  async refreshHash({ id, passwordHash: old }: StoredUser, password: string): Promise<void> {
    if (!this.#passwords.isOutdated(old)) return;
    const passwordHash = await this.#passwords.hash(password);
    this.#file.change((content) => {
      const users = content.users.map((user) =>
        user.id === id && user.passwordHash === old ? { ...user, passwordHash } : user,
      );
      return { content: { ...content, users }, result: undefined };
    });
  }

  /** Returns a time later than all earlier ends, even if the clock was set back. */
  #nextSessionsEndedAt({ sessionsEndedAt }: StoredUser): number {
    return Math.max(this.#clock.now(), sessionsEndedAt + 1);
  }

  #change(id: string, edit: (user: StoredUser, all: readonly StoredUser[]) => StoredUser): User {
    return this.#file.change((content) => {
      const before = requireUser(content.users, id);
      const after = { ...edit(before, content.users), updatedAt: this.#clock.now() };
      const users = content.users.map((user) => (user === before ? after : user));
      return { content: { ...content, users }, result: withoutSecrets(after) };
    });
  }
}

function requireUser(users: readonly StoredUser[], id: string): StoredUser {
  const user = users.find((candidate) => candidate.id === id);
  if (user === undefined) throw new AppError('not_found', `User "${id}" not found.`);
  return user;
}

function assertUsernameFree(users: readonly StoredUser[], username: string, exceptId?: string): void {
  const folded = normalizeUsername(username);
  const existing = users.find((user) => user.id !== exceptId && normalizeUsername(user.username) === folded);
  if (existing !== undefined)
    throw new AppError('already_exists', `User "${existing.username}" already exists. Choose another name.`, {
      details: { field: 'username' },
    });
}

function assertAdminRemains(
  users: readonly StoredUser[],
  { id, username, role }: StoredUser,
  what: string,
): void {
  if (role !== 'admin' || users.some((user) => user.role === 'admin' && user.id !== id)) return;
  throw new AppError(
    'forbidden',
    `"${username}" is the only admin and ${what}. Make another user an admin first.`,
  );
}

function withoutSecrets({ id, username, role, createdAt, updatedAt }: StoredUser): User {
  return { id, username, role, createdAt, updatedAt };
}

type UserFile = JsonFile<'users'>;

export const openUserFile = ({ users, lock }: AuthPaths): UserFile =>
  new JsonFile({
    file: users,
    lock,
    kind: 'users',
    empty: { version: 1, users: [] },
    what: 'user file',
    remedy:
      'Restore it from a backup, or move it away and create the users again with "engine users create".',
  });
