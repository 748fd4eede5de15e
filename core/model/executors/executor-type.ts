/** Executors other than commands, scripts and sub-workflows. */
export const executorTypes = [
  'approval',
  'archive',
  'container',
  'gha',
  'http',
  'jq',
  'mail',
  'sql',
  'ssh',
] as const;
export type ExecutorType = (typeof executorTypes)[number];

/** Other names of executors. */
export const executorAliases: Readonly<Record<string, ExecutorType>> = {
  docker: 'container',
  'github-action': 'gha',
  github_action: 'gha',
};
