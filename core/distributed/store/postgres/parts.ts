import type { DispatchSettings } from '../settings.ts';
import type { Connection } from './connection.ts';

/** Dependencies of the operations. */
export interface PostgresDeps {
  readonly connection: Connection;
  readonly settings: DispatchSettings;
}
