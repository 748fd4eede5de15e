const words: Readonly<Record<string, string>> = {
  command: 'A command or script of this machine; what a step is when it names no type.',
  shell: 'The same as command.',
  dag: 'The workflow that "run" names.',
  subworkflow: 'The same as dag.',
  parallel: 'The workflow that "run" names, once for each item of "parallel".',
  archive: 'Packs, unpacks or lists an archive.',
  container: 'A command in a container.',
  docker: 'The same as container.',
  gha: 'A hosted workflow action, such as owner/action@v1.',
  'github-action': 'The same as gha.',
  github_action: 'The same as gha.',
  http: 'An HTTP request.',
  jq: 'A query on JSON.',
  mail: 'A mail.',
  sql: 'SQL on the database of the gateway, or on a PostgreSQL server.',
  ssh: 'A command on another host, by SSH.',
};

/** What a kind of step does, in one sentence. Throws for one that nobody has described. */
export function describeStepType(type: string): string {
  const sentence = words[type];
  if (sentence === undefined)
    throw new Error(`scripts/editor-schema/step-types.ts says nothing about "${type}"`);
  return sentence;
}
