import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

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
export function createUnmatchableHash({ logN, r, p }: PasswordCost): string {
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
export function needsRehash(hash: string, { logN, r, p }: PasswordCost): boolean {
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
