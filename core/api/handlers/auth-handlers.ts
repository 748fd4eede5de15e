import { AppError } from '../../base/errors.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { HandlersFor } from './handlers.ts';

type AuthOperation = Extract<OperationName, `auth.${string}` | `users.${string}` | `tokens.${string}`>;

const refuse = (): never => {
  throw new AppError('unavailable', 'This host does not authenticate yet.');
};

/** Operations on users, tokens and sessions. */
export const authHandlers: HandlersFor<AuthOperation> = {
  'auth.info': () => ({ mode: 'none', required: false, logins: [], setupNeeded: false }),
  'auth.login': refuse,
  'auth.logout': refuse,
  'auth.me': ({}, _parts, caller) => ({ name: caller.name, role: caller.role ?? 'admin', via: 'machine' }),
  'auth.changePassword': refuse,
  'users.list': refuse,
  'users.create': refuse,
  'users.get': refuse,
  'users.update': refuse,
  'users.delete': refuse,
  'users.resetPassword': refuse,
  'tokens.list': refuse,
  'tokens.create': refuse,
  'tokens.delete': refuse,
};
