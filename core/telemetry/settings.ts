import type { Otel } from '../model/settings.ts';

/** Where and how the spans of a run are sent: `otel` with its references put in. */
export interface OtelSettings {
  /** Absent: as the variables `OTEL_EXPORTER_OTLP_…` of the engine say. */
  readonly endpoint?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly insecure: boolean;
  /** Longest time of one delivery. */
  readonly timeoutMs?: number;
  /** Attributes of all spans, without secrets. */
  readonly resource: Readonly<Record<string, string>>;
}

/** What reading the settings needs. */
export interface SettingsTools {
  expand(text: string): Promise<string>;
  /** Hides secrets. */
  mask(text: string): string;
}

/** Nothing when the runs of the workflow are not traced. Rejects when a text cannot be expanded. */
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
