import { configTable } from './config-table.ts';

/** The configuration of an HTTP request. */
export const httpConfig = configTable({
  headers: {
    kind: 'textMap',
    description: 'Request headers.',
    example: { Accept: 'application/json' },
  },
  query: {
    kind: 'textMap',
    description: 'Query parameters added to the URL.',
    example: { page: '2' },
  },
  body: {
    kind: 'text',
    description: 'Request body. Default content type: text/plain.',
    example: '{"name": "${NAME}"}',
  },
  bodyFile: {
    kind: 'text',
    description: 'File to send as the request body.',
    example: 'report.pdf',
  },
  timeout: {
    kind: 'number',
    description: 'Request timeout in seconds. Default: 0 (no limit).',
    example: 30,
  },
  maxRedirects: {
    kind: 'number',
    description: 'Maximum redirects to follow. Default: 10.',
    example: 3,
  },
  json: {
    kind: 'flag',
    description: 'Write status code, headers and body as JSON.',
  },
  silent: {
    kind: 'flag',
    description: 'Write the response body only.',
  },
  debug: {
    kind: 'flag',
    description: 'Log request and response to stderr, without credentials.',
  },
  saveTo: {
    kind: 'text',
    description: 'File to save the response body to, instead of the log.',
    example: 'export.csv',
  },
  maxBodyBytes: {
    kind: 'number',
    description: 'Maximum response body in bytes. Default: 10485760 (10 MiB).',
    example: 1_048_576,
  },
  skipTLSVerify: {
    kind: 'flag',
    description: 'Accept any server certificate. Insecure. Default: false.',
  },
});
