import type { Auth } from '../auth/auth.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../config/engine-config.ts';

/** What authentication is opened with. */
export interface AuthWiring {
  readonly home: string;
  readonly config: Pick<EngineConfig, 'auth'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens authentication when somebody asks for it, once: a command that starts a run never does. */
export function authOpener({ home, config, clock, logger }: AuthWiring): () => Promise<Auth> {
  let opened: Promise<Auth> | undefined;
  const open = async (): Promise<Auth> => {
    const { Auth } = await import('../auth/auth.ts');
    return new Auth({ home, settings: config.auth, clock, logger });
  };
  return () => (opened ??= open());
}
