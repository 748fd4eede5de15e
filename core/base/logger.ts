import type { JsonObject } from './json.ts';

/** Where the engine reports on itself; hosts decide where it goes (stderr, a file, nowhere in tests). */
export interface Logger {
  info(message: string, fields?: JsonObject): void;
  warn(message: string, fields?: JsonObject): void;
  error(message: string, fields?: JsonObject): void;
}
