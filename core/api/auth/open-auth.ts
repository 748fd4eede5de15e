import type { Auth, AuthOptions } from './auth.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';

/** Dependencies of authentication. */
export interface AuthWiring extends Omit<AuthOptions, 'settings'> {
  readonly config: Pick<EngineConfig, 'auth'>;
}

/** Opens authentication once, when it is first needed: a command that starts a run never does. */
export function lazyAuth({ config, ...options }: AuthWiring): () => Promise<Auth> {
  let opened: Promise<Auth> | undefined;
  const open = async (): Promise<Auth> => {
    const { Auth } = await import('./auth.ts');
    return new Auth({ ...options, settings: config.auth });
  };
  return () => (opened ??= open());
}
