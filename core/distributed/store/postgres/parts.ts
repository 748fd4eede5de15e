import type { DispatchSettings } from '../settings.ts';
import type { Connection } from './connection.ts';

/** What the operations work with. */
export interface PostgresParts {
  readonly connection: Connection;
  readonly settings: DispatchSettings;
}
