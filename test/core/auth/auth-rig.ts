import { Auth } from '../../../core/auth/auth.ts';
import { authPaths, type AuthPaths } from '../../../core/auth/auth-paths.ts';
import type { AuthSettings } from '../../../core/auth/settings.ts';
import { openSettings } from './open-settings.ts';
import type { Logger } from '../../../core/base/logger.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { makeTemporaryFolder } from '../../rig/temporary-folder.ts';
import { cheapPasswords } from '../../rig/test-engine.ts';

/** Authentication on a home of its own, a clock that the test moves, and passwords that cost nothing. */
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
    passwordCost: cheapPasswords,
  });
  return { home, paths: authPaths(home), clock, auth, warnings };
}
