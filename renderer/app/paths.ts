/** Addresses of the pages, as links take them. */
export const paths = {
  workflows: '/',
  newWorkflow: (way?: string) => (way === undefined ? '/new' : `/new/${way}`),
  runs: '/runs',
  users: '/users',
  tokens: '/tokens',
  apiReference: (name?: string) =>
    name === undefined ? '/api-reference' : `/api-reference/${encodeURIComponent(name)}`,
  workflow: (fileName: string) => `/dags/${encodeURIComponent(fileName)}`,
  editor: (fileName: string) => `/dags/${encodeURIComponent(fileName)}/edit`,
  run: (name: string, dagRunId: string) =>
    `/runs/${encodeURIComponent(name)}/${encodeURIComponent(dagRunId)}`,
} as const;

/** The patterns the router matches. */
export const routePatterns = {
  workflow: '/dags/:fileName',
  editor: '/dags/:fileName/edit',
  newWorkflow: '/new/:way?',
  run: '/runs/:name/:dagRunId',
  signedIn: '/signed-in',
  apiReference: '/api-reference/:name?',
  gallery: '/gallery',
} as const;
