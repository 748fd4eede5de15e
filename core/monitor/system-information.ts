import type * as Library from 'systeminformation';

type SystemInformation = typeof Library;

/** Loads the library for systems other than Linux on demand, because it is large. */
export async function loadSystemInformation(): Promise<SystemInformation> {
  const loaded = (await import('systeminformation')) as SystemInformation & {
    readonly default?: SystemInformation;
  };
  return loaded.default ?? loaded;
}
