import type { Otel } from '../../model/settings.ts';

/** Trace export settings of a run: `otel` with expanded values. */
export interface OtelSettings {
  /** Default: the engine's variables `OTEL_EXPORTER_OTLP_…`. */
  readonly endpoint?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly insecure: boolean;
  /** Timeout of one delivery. */
  readonly timeoutMs?: number;
  /** Attributes of all spans, without secrets. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Functions for reading the settings. */
export interface SettingsTools {
  expand(text: string): Promise<string>;
  /** Masks secrets. */
  mask(text: string): string;
}

/** Returns the settings; undefined if the workflow's runs are not traced. Rejects if a value cannot be expanded. */
export async function readOtelSettings(
  otel: Otel | undefined,
  { expand, mask }: SettingsTools,
): Promise<OtelSettings | undefined> {
  if (otel?.enabled !== true) return undefined;
  const { insecure = false, timeoutSec } = otel;
  const endpoint = (await expand(otel.endpoint ?? '')).trim();
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    ...(timeoutSec === undefined ? {} : { timeoutMs: timeoutSec * 1000 }),
    headers: await mapTexts(otel.headers, expand),
    insecure,
    resource: await mapTexts(otel.resource, async (text) => mask(await expand(text))),
  };
}

async function mapTexts(
  texts: Readonly<Record<string, string>>,
  change: (text: string) => Promise<string>,
): Promise<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) changed[name] = await change(text);
  return changed;
}
