/**
 * Fields of the language that this version knows and does not act on. A field that would change what
 * runs is refused; one that would not is accepted with a warning.
 */

/** Refused with an error. */
export const refusedFields = {
  workflow: ['container', 'ssh', 'registryAuths', 'secrets', 'dotenv', 'queue', 'workerSelector'],
  step: [
    'container',
    'parallel',
    'repeatPolicy',
    'stdout',
    'stderr',
    'shellPackages',
    'workerSelector',
    'config',
  ],
} as const;

/** Kinds of steps of the language that are refused. */
export const refusedStepTypes: readonly string[] = [
  'archive',
  'container',
  'docker',
  'gha',
  'github-action',
  'github_action',
  'http',
  'jq',
  'mail',
  'parallel',
  'ssh',
];

/** Kinds of steps that need no executor of their own: what they do shows in their other fields. */
export const plainStepTypes: readonly string[] = ['', 'command', 'shell', 'dag', 'subworkflow'];

/** What to say about a refused field or kind. */
export function describeRefused(what: string): string {
  return `${what} is not supported yet by this version, and leaving it out would change what runs. Remove it, or wait for a version that has it.`;
}
