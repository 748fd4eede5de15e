import { type AuthSettings, type AuthPaths, authPaths } from '../../../../core/api/auth/identity.ts';
import { type PasswordCost, Passwords } from '../../../../core/api/auth/passwords.ts';
import { openUserFile, Users } from '../../../../core/api/auth/users.ts';
import { FakeClock } from '../../../harness/fakes.ts';
import { Auth } from '../../../../core/api/auth/auth.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { fastPasswordCost } from '../../../harness/engine.ts';

/** Defaults: no authentication. */
export const openSettings: AuthSettings = {
  mode: 'none',
  builtin: { tokenTtl: 24 * 3600 },
  basic: { username: undefined, password: undefined },
  token: { value: undefined },
  oidc: {
    issuer: undefined,
    clientId: undefined,
    clientSecret: undefined,
    scopes: ['openid', 'profile', 'email'],
    roleClaim: undefined,
    roleMapping: new Map(),
    defaultRole: undefined,
    allowedEmails: [],
    allowedDomains: [],
    userinfoTokens: false,
  },
};

/** The users of a home as another process would open them. */
export const openUsers = (home: string, cost: PasswordCost = { logN: 4, r: 1, p: 1 }): Users =>
  new Users(openUserFile(authPaths(home)), new Passwords(cost), new FakeClock());

/** Authentication on a separate home, with a clock that the test controls, and cheap password hashes. */
export interface AuthRig {
  readonly home: string;
  readonly paths: AuthPaths;
  readonly clock: FakeClock;
  readonly auth: Auth;
  readonly warnings: string[];
}

export function makeAuth(settings: Partial<AuthSettings> = {}, home = makeTemporaryFolder()): AuthRig {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const logger: Logger = { info() {}, warn: (message) => void warnings.push(message), error() {} };
  const auth = new Auth({
    home,
    settings: { ...openSettings, mode: 'builtin', ...settings },
    clock,
    logger,
    passwordCost: fastPasswordCost,
  });
  return { home, paths: authPaths(home), clock, auth, warnings };
}
