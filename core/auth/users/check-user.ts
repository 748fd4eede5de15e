import { AppError } from '../../base/errors.ts';

const refuse = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}.`, { details: { field } });

/**
 * Throws `bad_request` for what no user may be called: 1 to 64 characters, without those that nobody sees, and
 * without the colon that ends a name in basic authentication.
 */
export function checkUsername(username: string): void {
  if (username.length < 1 || username.length > 64) throw refuse('username', 'must have 1 to 64 characters');
  if (/[\p{C}\p{Z}:]/u.test(username))
    throw refuse('username', 'must not contain spaces, colons or invisible characters');
}

/** Throws `bad_request` for a password of under 8 or over 256 characters. */
export function checkPassword(password: string): void {
  if (password.length < 8) throw refuse('password', 'must have at least 8 characters');
  if (password.length > 256) throw refuse('password', 'must have at most 256 characters');
}

/** The form in which names are compared: `Ann`, `ann` and `ＡＮＮ` are one user. */
export const foldUsername = (username: string): string => username.normalize('NFKC').toLowerCase();
