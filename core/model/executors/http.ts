import { configTable } from './config-table.ts';

/** The configuration of an HTTP request. */
export const httpConfig = configTable({
  headers: {
    kind: 'textMap',
    description: 'Header fields of the request.',
    example: { Accept: 'application/json' },
  },
  query: {
    kind: 'textMap',
    description: 'Parameters that are added to the query of the URL, encoded as needed.',
    example: { page: '2' },
  },
  body: {
    kind: 'text',
    description: 'Body of the request. It goes as text/plain unless "headers" has a Content-Type.',
    example: '{"name": "${NAME}"}',
  },
  bodyFile: {
    kind: 'text',
    description: "File that is the body of the request; a relative path counts from the step's directory.",
    example: 'report.pdf',
  },
  timeout: {
    kind: 'number',
    description:
      'Seconds that the whole exchange may take, redirects and body included; 0, the default: no limit.',
    example: 30,
  },
  maxRedirects: {
    kind: 'number',
    description:
      'Redirects that are followed; 10 when absent. With 0 none is, and a redirect fails the step.',
    example: 3,
  },
  json: {
    kind: 'flag',
    description:
      'Write {status_code, headers, body} as JSON instead of text; a body that is JSON is part of it.',
  },
  silent: {
    kind: 'flag',
    description: 'Write the body only, without status line and headers. Has no effect on "json".',
  },
  debug: {
    kind: 'flag',
    description:
      'Write to stderr what is sent where and what comes back. Values of credentials are left out.',
  },
  saveTo: {
    kind: 'text',
    description:
      "File that receives the body of a successful answer instead of the log, of any size; a relative path counts from the step's directory.",
    example: 'export.csv',
  },
  maxBodyBytes: {
    kind: 'number',
    description:
      'Bytes of an answer\'s body that are kept in memory and shown in the log; 10485760 (10 MiB) when absent. No limit for "saveTo".',
    example: 1_048_576,
  },
  skipTLSVerify: {
    kind: 'flag',
    description:
      'Accept any certificate of the server. The connection is then open to whoever is in its way.',
  },
});
