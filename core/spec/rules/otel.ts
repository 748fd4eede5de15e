import { readOtelEndpoint } from '../../model/workflow/otel-endpoint.ts';
import type { AuthoredOtel } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { fieldOf, type SourceRef } from '../source/source-node.ts';

/** Warns about an address that cannot receive traces. Runs work without tracing. */
export function checkOtel(otel: AuthoredOtel | undefined, source: SourceRef, report: Report): void {
  if (otel?.endpoint === undefined || otel.enabled === false) return;
  const { endpoint, insecure = false } = otel;
  // References can only be checked when the run starts.
  if (endpoint.trim() === '' || /[$`]/.test(endpoint)) return;
  const found = readOtelEndpoint(endpoint, insecure);
  if ('fault' in found)
    report.warning(fieldOf(source, 'endpoint'), `Cannot export traces to this endpoint: ${found.fault}.`);
  else if (insecure && endpoint.trim().toLowerCase().startsWith('https://')) {
    report.warning(
      fieldOf(source, 'insecure'),
      '"insecure" has no effect for https:// endpoints. Remove it, or use http://.',
    );
  }
}
