import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/operation.ts';
import type { CallerUser, AuthPaths } from './identity.ts';
import type { StoredToken } from '../../contract/home-files.ts';
import { JsonFile } from '../../store/json-file.ts';

/** A token without its secret. Times are epoch milliseconds. */
export type ApiToken = Omit<StoredToken, 'hash'>;

/** A token to create. */
export interface NewToken {
  /** Unique per owner; 1 to 64 characters. */
  readonly name: string;
  readonly role: Role;
  /** Absent: no expiry. */
  readonly expiresInDays?: number | undefined;
  /** Absent when created on the machine. */
  readonly owner?: CallerUser | undefined;
}

/** Prefix of all secrets, for recognition by people and secret scanners. */
export const secretPrefix = 'swt_';

const dayMs = 24 * 3600 * 1000;
/** Minimum interval of recording the use of a token, in milliseconds. */
const useIntervalMs = 60_000;

/** API tokens of the home, in a file shared by several processes. */
export class ApiTokens {
  readonly #file: TokenFile;
  readonly #clock: Clock;
  #indexed:
    | { readonly tokens: readonly StoredToken[]; readonly byHash: ReadonlyMap<string, StoredToken> }
    | undefined;

  constructor(file: TokenFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Lists all tokens, newest first. */
  list(): ApiToken[] {
    return this.#file.read().tokens.map(withoutHash).toReversed();
  }

  /** Creates a token; its secret cannot be shown again. Throws `bad_request` or `already_exists`. */
  create(input: NewToken): { readonly token: ApiToken; readonly secret: string } {
    const { name, role, expiresInDays, owner } = input;
    checkName(name);
    const secret = secretPrefix + randomBytes(32).toString('base64url');
    const now = this.#clock.now();
    const token: StoredToken = {
      id: randomUUID(),
      name,
      role,
      ...(owner === undefined ? {} : { owner: { id: owner.id, username: owner.username } }),
      hint: secret.slice(0, secretPrefix.length + 4),
      hash: hashSecret(secret),
      createdAt: now,
      ...(expiresInDays === undefined ? {} : { expiresAt: now + expiresInDays * dayMs }),
    };
    return this.#file.change((content) => {
      const isTaken = content.tokens.some((other) => other.name === name && other.owner?.id === owner?.id);
      if (isTaken)
        throw new AppError(
          'already_exists',
          `Token "${name}" already exists. Revoke it, or choose another name.`,
          {
            details: { field: 'name' },
          },
        );
      const tokens = [...content.tokens, token];
      return { content: { ...content, tokens }, result: { token: withoutHash(token), secret } };
    });
  }

  /**
   * Revokes a token. Throws `not_found`.
   * @param isMine tokens visible to the caller; others count as missing
   */
  delete(id: string, isMine: (token: ApiToken) => boolean = () => true): ApiToken {
    return this.#file.change((content) => {
      const token = content.tokens.find((candidate) => candidate.id === id);
      if (token === undefined || !isMine(token)) throw new AppError('not_found', `Token "${id}" not found.`);
      const tokens = content.tokens.filter((other) => other !== token);
      return { content: { ...content, tokens }, result: withoutHash(token) };
    });
  }

  /** Revokes the tokens of a user, and returns them. */
  deleteByOwner(ownerId: string): ApiToken[] {
    return this.#file.change((content) => {
      const isOwned = ({ owner }: StoredToken): boolean => owner?.id === ownerId;
      const ended = content.tokens.filter(isOwned).map(withoutHash);
      if (ended.length === 0) return { result: ended };
      const tokens = content.tokens.filter((token) => !isOwned(token));
      return { content: { ...content, tokens }, result: ended };
    });
  }

  /** Returns the token of a secret, unless expired. */
  find(secret: string): ApiToken | undefined {
    const token = this.#index().get(hashSecret(secret));
    if (token === undefined || (token.expiresAt ?? Infinity) <= this.#clock.now()) return undefined;
    return withoutHash(token);
  }

  /** Records the use of a token, at most once a minute. */
  recordUse({ id, lastUsedAt = -Infinity }: ApiToken): void {
    const now = this.#clock.now();
    if (Math.abs(now - lastUsedAt) < useIntervalMs) return;
    this.#file.change((content) => {
      const tokens = content.tokens.map((token) => (token.id === id ? { ...token, lastUsedAt: now } : token));
      return { content: { ...content, tokens }, result: undefined };
    });
  }

  #index(): ReadonlyMap<string, StoredToken> {
    const { tokens } = this.#file.read();
    if (this.#indexed?.tokens !== tokens)
      this.#indexed = { tokens, byHash: new Map(tokens.map((token) => [token.hash, token])) };
    return this.#indexed.byHash;
  }
}

function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 64 && !/\p{Cc}/u.test(name)) return;
  throw new AppError('bad_request', 'name: must be 1 to 64 characters, without control characters', {
    details: { field: 'name' },
  });
}

const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const withoutHash = (token: StoredToken): ApiToken =>
  Object.fromEntries(Object.entries(token).filter(([field]) => field !== 'hash')) as ApiToken;

type TokenFile = JsonFile<'tokens'>;

export const openTokenFile = ({ tokens, lock }: AuthPaths): TokenFile =>
  new JsonFile({
    file: tokens,
    lock,
    kind: 'tokens',
    empty: { version: 1, tokens: [] },
    what: 'token file',
    remedy: 'Restore it from a backup, or move it away and create the tokens again.',
  });
