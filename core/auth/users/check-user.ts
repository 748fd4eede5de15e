import { AppError } from '../../base/errors.ts';

const userFieldError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `${field}: ${problem}.`, { details: { field } });

/**
 * Validates a user name: 1 to 64 characters, no invisible ones, and no colon, which ends the name in basic
 * authentication. Throws `bad_request`.
 */
export function checkUsername(username: string): void {
  if (username.length < 1 || username.length > 64)
    throw userFieldError('username', 'must have 1 to 64 characters');
  if (/[\p{C}\p{Z}:]/u.test(username))
    throw userFieldError('username', 'must not contain spaces, colons or invisible characters');
}

/** Validates a password: 8 to 256 characters. Throws `bad_request`. */
export function checkPassword(password: string): void {
  if (password.length < 8) throw userFieldError('password', 'must have at least 8 characters');
  if (password.length > 256) throw userFieldError('password', 'must have at most 256 characters');
}

/** Normalizes a user name for comparison: `Ann`, `ann` and `ＡＮＮ` are one user. */
export const normalizeUsername = (username: string): string => username.normalize('NFKC').toLowerCase();
