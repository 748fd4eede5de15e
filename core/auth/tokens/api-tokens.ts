import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/operation.ts';
import type { CallerUser } from '../identity.ts';
import type { StoredToken, TokenFile } from './token-file.ts';

/** A token without its secret. Times are epoch milliseconds. */
export type ApiToken = Omit<StoredToken, 'hash'>;

/** A wish for a token. */
export interface NewToken {
  /** Told by its owner's tokens apart; 1 to 64 characters. */
  readonly name: string;
  readonly role: Role;
  /** Absent for ever. */
  readonly expiresInDays?: number | undefined;
  /** Absent on the machine itself. */
  readonly owner?: CallerUser | undefined;
}

/** What all secrets begin with, so that people and scanners know them. */
export const secretPrefix = 'swt_';

const dayMs = 24 * 3600 * 1000;
/** The use of a token is written down this often at most, milliseconds. */
const useIntervalMs = 60_000;

/** The API tokens of the home, in a file that several processes may change. */
export class ApiTokens {
  readonly #file: TokenFile;
  readonly #clock: Clock;
  #indexed:
    | { readonly of: readonly StoredToken[]; readonly byHash: ReadonlyMap<string, StoredToken> }
    | undefined;

  constructor(parts: { readonly file: TokenFile; readonly clock: Clock }) {
    this.#file = parts.file;
    this.#clock = parts.clock;
  }

  /** All tokens, newest first. */
  list(): ApiToken[] {
    return this.#file.read().tokens.map(withoutHash).toReversed();
  }

  /** Makes a token; nobody can show its secret again. Throws `bad_request` or `already_exists`. */
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
      hash: hashOf(secret),
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
   * @param isMine what the caller may see; everything else is not there
   */
  delete(id: string, isMine: (token: ApiToken) => boolean = () => true): ApiToken {
    return this.#file.change((content) => {
      const token = content.tokens.find((candidate) => candidate.id === id);
      if (token === undefined || !isMine(token)) throw new AppError('not_found', `Token "${id}" not found.`);
      const tokens = content.tokens.filter((other) => other !== token);
      return { content: { ...content, tokens }, result: withoutHash(token) };
    });
  }

  /** Revokes the tokens of a user, and gives them. */
  deleteOf(ownerId: string): ApiToken[] {
    return this.#file.change((content) => {
      const isTheirs = ({ owner }: StoredToken): boolean => owner?.id === ownerId;
      const ended = content.tokens.filter(isTheirs).map(withoutHash);
      if (ended.length === 0) return { result: ended };
      const tokens = content.tokens.filter((token) => !isTheirs(token));
      return { content: { ...content, tokens }, result: ended };
    });
  }

  /** The token of a secret, unless it has expired. */
  find(secret: string): ApiToken | undefined {
    const token = this.#index().get(hashOf(secret));
    if (token === undefined || (token.expiresAt ?? Infinity) <= this.#clock.now()) return undefined;
    return withoutHash(token);
  }

  /** Writes down that a token is used now, unless that was done within the last minute. */
  noteUse({ id, lastUsedAt = -Infinity }: ApiToken): void {
    const now = this.#clock.now();
    if (Math.abs(now - lastUsedAt) < useIntervalMs) return;
    this.#file.change((content) => {
      const tokens = content.tokens.map((token) => (token.id === id ? { ...token, lastUsedAt: now } : token));
      return { content: { ...content, tokens }, result: undefined };
    });
  }

  #index(): ReadonlyMap<string, StoredToken> {
    const { tokens } = this.#file.read();
    if (this.#indexed?.of !== tokens)
      this.#indexed = { of: tokens, byHash: new Map(tokens.map((token) => [token.hash, token])) };
    return this.#indexed.byHash;
  }
}

function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 64 && !/\p{Cc}/u.test(name)) return;
  throw new AppError('bad_request', 'name: must have 1 to 64 characters, without control characters', {
    details: { field: 'name' },
  });
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const withoutHash = (token: StoredToken): ApiToken =>
  Object.fromEntries(Object.entries(token).filter(([field]) => field !== 'hash')) as ApiToken;
