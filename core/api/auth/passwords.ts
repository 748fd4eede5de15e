import pLimit, { type LimitFunction } from 'p-limit';
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { normalizeUsername } from './identity.ts';
import type { StoredUser } from '../../contract/home-files.ts';
import type { Users } from './users.ts';

/** Creates and checks password hashes, a few at a time. */
export class Passwords {
  readonly #cost: PasswordCost;
  readonly #limit = pLimit(atOnce);

  constructor(cost: PasswordCost = defaultPasswordCost) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return runLimited(this.#limit, () => hashPassword(password, this.#cost));
  }

  /**
   * Whether the password matches the hash.
   * @param hash undefined for an unknown user: returns false in the same time
   */
  async matches(password: string, hash: string | undefined): Promise<boolean> {
    const compared = hash ?? createUnmatchableHash(this.#cost);
    const isRight = await runLimited(this.#limit, () => matchesHash(password, compared));
    return isRight && hash !== undefined;
  }

  /** Whether a hash should be replaced, once its password is known. */
  isOutdated(hash: string): boolean {
    return needsRehash(hash, this.#cost);
  }
}

/** Maximum number of cached credentials. */
const maxRemembered = 1000;

/** Finds the user of a name and password, and throttles guesses. */
export class PasswordLogin {
  readonly #users: Users;
  readonly #throttle: LoginThrottle;
  /** Key of this process, so that the cached digests are useless elsewhere. */
  readonly #key = randomBytes(32);
  /** Cached valid credentials, which avoid a slow hash for each request with basic authentication. */
  readonly #validCredentials = new Set<string>();
  readonly #inProgress = new Map<string, Promise<StoredUser>>();

  constructor(users: Users, throttle: LoginThrottle) {
    this.#users = users;
    this.#throttle = throttle;
  }

  /** Rejects with `unauthorized` or `too_many_requests`. */
  async verify(username: string, password: string, address: string | undefined): Promise<StoredUser> {
    const credentialKey = this.#getCredentialKey(username, password);
    const user = this.#users.findByName(username);
    // Parallel attempts with the same credentials count once.
    const other = this.#inProgress.get(credentialKey);
    if (other !== undefined) return other;
    const attempt = this.#throttle.begin(normalizeUsername(username), address);
    if (user !== undefined && this.#validCredentials.has(`${credentialKey} ${user.passwordHash}`)) {
      attempt.succeed();
      return user;
    }
    const found = this.#authenticate(username, password).finally(() =>
      this.#inProgress.delete(credentialKey),
    );
    this.#inProgress.set(credentialKey, found);
    const verified = await found;
    attempt.succeed();
    this.#remember(`${credentialKey} ${verified.passwordHash}`);
    return verified;
  }

  async #authenticate(username: string, password: string): Promise<StoredUser> {
    const user = await this.#users.verify(username, password);
    if (user === undefined) throw new AppError('unauthorized', 'Wrong username or password.');
    await this.#users.refreshHash(user, password);
    return this.#users.find(user.id) ?? user;
  }

  #getCredentialKey(username: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${username}\0${password}`).digest('base64');
  }

  #remember(credentialKey: string): void {
    const [oldest] = this.#validCredentials;
    if (this.#validCredentials.size >= maxRemembered && oldest !== undefined)
      this.#validCredentials.delete(oldest);
    this.#validCredentials.add(credentialKey);
  }
}

/** Cost parameters (RFC 7914): `2 ** logN` rounds over blocks of `r`, `p` times. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** As strong as 2^17 rounds with p=1, with a quarter of the memory: 32 MiB, for about a tenth of a second. */
export const defaultPasswordCost: PasswordCost = { logN: 15, r: 8, p: 3 };

const keyBytes = 32;
/** Format of stored hashes: `$scrypt$ln=15,r=8,p=3$SALT$KEY`, both in base64url. */
const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

/** Returns a hash to store, with its cost and salt. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, cost);
  const { logN, r, p } = cost;
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Returns a hash that matches no password, at the same cost. */
function createUnmatchableHash({ logN, r, p }: PasswordCost): string {
  const [salt, key] = [randomBytes(16), randomBytes(keyBytes)].map((bytes) => bytes.toString('base64url'));
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt}$${key}`;
}

/** Whether `password` matches a stored hash; takes as long as creating the hash. */
export async function matchesHash(password: string, hash: string): Promise<boolean> {
  const match = form.exec(hash);
  if (match === null) return false;
  const [, logN, r, p, salt = '', key = ''] = match;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(derived, Buffer.from(key, 'base64url'));
}

/** Whether a stored hash has a different cost. */
function needsRehash(hash: string, { logN, r, p }: PasswordCost): boolean {
  return !hash.startsWith(`$scrypt$ln=${logN},r=${r},p=${p}$`);
}

/** Normalizes the password, because systems may encode the same characters as different code points (RFC 8265). */
function deriveKey(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const maxmem = 256 * 2 ** logN * r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, { N: 2 ** logN, r, p, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Maximum number of parallel jobs; each uses a core and tens of megabytes. */
const atOnce = 2;
/** Maximum number of queued jobs. */
const maxWaiting = 50;

/** Runs expensive jobs a few at a time, so that many logins do not block the engine. Throws `too_many_requests`. */
async function runLimited<Result>(limit: LimitFunction, work: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= maxWaiting) {
    throw new AppError('too_many_requests', 'Too many concurrent sign-ins. Try again in a few seconds.', {
      details: { retryAfter: 5 },
    });
  }
  return limit(work);
}
