import { authPaths } from '../../../core/auth/auth-paths.ts';
import type { PasswordCost } from '../../../core/auth/passwords/hash-password.ts';
import { Passwords } from '../../../core/auth/passwords/passwords.ts';
import { openUserFile } from '../../../core/auth/users/user-file.ts';
import { Users } from '../../../core/auth/users/users.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

/** The users of a home as another process would open them. */
export const openUsers = (home: string, cost: PasswordCost = { logN: 4, r: 1, p: 1 }): Users =>
  new Users({
    file: openUserFile(authPaths(home)),
    passwords: new Passwords(cost),
    clock: new FakeClock(),
  });
