import type * as Library from 'systeminformation';

type SystemInformation = typeof Library;

/** The library that knows other systems than Linux; large, so it is loaded where it is first asked. */
export async function loadSystemInformation(): Promise<SystemInformation> {
  const loaded = (await import('systeminformation')) as SystemInformation & {
    readonly default?: SystemInformation;
  };
  return loaded.default ?? loaded;
}
