/** The URL for traces, or the problem as the second half of a sentence. */
export type OtelEndpoint = { readonly url: string } | { readonly fault: string };

const tracesPath = '/v1/traces';
const addressPattern = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?$/i;

/**
 * Returns the URL of `otel.endpoint`. Without a path it gets the path of OTLP over HTTP; without a scheme https, or
 * http when `insecure` is set.
 */
export function readOtelEndpoint(text: string, insecure: boolean): OtelEndpoint {
  const [, scheme, authority, path = '', query = ''] = addressPattern.exec(text.trim()) ?? [];
  if (authority === undefined) return { fault: 'not a URL such as http://localhost:4318' };
  const known = scheme?.toLowerCase() ?? (insecure ? 'http' : 'https');
  const hasPath = path !== '' && path !== '/';
  if (known !== 'http' && known !== 'https')
    return { fault: `"${known}" is not supported: traces are sent with OTLP over HTTP. ${adviceForHttp}` };
  if (authority.endsWith(':4317') && !hasPath)
    return { fault: `port 4317 is OTLP over gRPC, which is not supported. ${adviceForHttp}` };
  return { url: `${known}://${authority}${hasPath ? path : tracesPath}${query}` };
}

const adviceForHttp = 'Use the OTLP/HTTP endpoint of the collector, usually port 4318: http://localhost:4318';
