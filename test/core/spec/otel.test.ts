import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../../core/spec/base-config.ts';
import { formatDiagnostic } from '../../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../../core/spec/load.ts';

/** Diagnostics of a workflow with this `otel`. */
const notify = (otel: string): string[] =>
  loadSpec({ text: `otel: ${otel}\nsteps: [echo a]\n`, file: 'a.yaml' }).diagnostics.map((diagnostic) =>
    formatDiagnostic(diagnostic),
  );

describe('otel', () => {
  it.each([
    '{enabled: true}',
    '{endpoint: "http://localhost:4318"}',
    '{endpoint: "http://localhost:4317/v1/traces"}',
    '{endpoint: "collector:4318", insecure: true}',
    '{endpoint: "${COLLECTOR}:4317"}',
    '{enabled: false, endpoint: "localhost:4317"}',
  ])('loads without diagnostics: %s', (otel) => {
    expect(notify(otel)).toEqual([]);
  });

  it.each([
    [
      '{endpoint: "localhost:4317"}',
      'a.yaml:1:18: warning: Cannot export traces to this endpoint: port 4317 is OTLP over gRPC, which is not supported. Use the OTLP/HTTP endpoint of the collector, usually port 4318: http://localhost:4318. (otel.endpoint)',
    ],
    [
      '{endpoint: "http://a:4317/"}',
      'Cannot export traces to this endpoint: port 4317 is OTLP over gRPC, which is not supported.',
    ],
    [
      '{endpoint: "grpc://a"}',
      'Cannot export traces to this endpoint: "grpc" is not supported: traces are sent with OTLP over HTTP.',
    ],
    ['{endpoint: "/a"}', 'Cannot export traces to this endpoint: not a URL such as http://localhost:4318.'],
    [
      '{endpoint: "https://a", insecure: true}',
      'a.yaml:1:41: warning: "insecure" has no effect for https:// endpoints. Remove it, or use http://. (otel.insecure)',
    ],
  ])('warns of settings that send no traces: %s', (otel, warning) => {
    expect(notify(otel)).toEqual([expect.stringContaining(warning)]);
  });

  it('is validated in a base configuration, too', () => {
    const { base, diagnostics } = loadBaseConfig({ text: 'otel: {enabled: true, endpoint: "a:4317"}\n' });
    expect(base?.otel?.endpoint).toBe('a:4317');
    expect(diagnostics.map(({ path }) => path)).toEqual(['otel.endpoint']);
  });
});
