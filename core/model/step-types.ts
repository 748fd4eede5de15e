import { archiveTable } from './executor-tables.ts';
import { containerTable } from './executor-tables.ts';
import {
  approvalTable,
  httpConfig,
  jqTable,
  mailConfig,
  sqlTable,
  sshTable,
  type ConfigTable,
} from './executor-config.ts';
import { ghaTable } from './executor-tables.ts';

/** Whether a field is required, optional or not allowed. */
export type FieldRequirement = 'needed' | 'allowed' | 'refused';

/** Icons of step types; a new one needs its component in `renderer/graph/step-icon.ts`. */
export type StepIcon =
  | 'archive'
  | 'bell'
  | 'box'
  | 'braces'
  | 'database'
  | 'file'
  | 'globe'
  | 'hourglass'
  | 'mail'
  | 'puzzle'
  | 'server'
  | 'user-check';

/** A step type with an executor. */
export interface StepType {
  /** Two or three words. */
  readonly label: string;
  readonly icon: StepIcon;
  /** One sentence. */
  readonly description: string;
  /** The fields of `config`. */
  readonly config: ConfigTable;
  readonly command: FieldRequirement;
  readonly script: FieldRequirement;
  /** Rule for `params`. */
  readonly params: FieldRequirement;
  /** Descriptions of the two fields, if they do not contain local shell commands. */
  readonly fields?: { readonly command?: string; readonly script?: string };
  /** An example step for messages. */
  readonly example: string;
  /** The step that the editor inserts, without its name; YAML. */
  readonly snippet: { readonly name: string; readonly yaml: string };
}

/**
 * The registration of each step type: validation, the schemas, the editor's form and palette, labels, icons and the
 * list of the documentation derive from it. `core/executors/TYPE-executor.ts` executes it and `docs/executors/TYPE.md`
 * documents it. Checks that the table cannot express are in `core/spec/executors/checks.ts`.
 */
export const stepTypes = {
  approval: {
    label: 'Approval',
    icon: 'user-check',
    description: 'Waits for a person to approve or reject.',
    config: approvalTable,
    command: 'refused',
    script: 'refused',
    params: 'refused',
    example: '{type: approval, config: {question: "Release it?"}}',
    snippet: {
      name: 'approve',
      yaml: 'type: approval\nconfig:\n  question: Continue?\noutput: ANSWER\n',
    },
  },
  archive: {
    label: 'Archive',
    icon: 'archive',
    description: 'Creates, extracts or lists an archive.',
    config: archiveTable,
    command: 'needed',
    script: 'refused',
    params: 'refused',
    fields: { command: 'Operation: extract, create or list.' },
    example: '{type: archive, command: extract, config: {source: build.tar.gz, destination: out}}',
    snippet: {
      name: 'pack',
      yaml: 'type: archive\ncommand: create\nconfig:\n  source: folder\n  destination: folder.tar.gz\n',
    },
  },
  container: {
    label: 'Container',
    icon: 'box',
    description: 'Runs a command in a Docker or Podman container.',
    config: containerTable,
    command: 'allowed',
    script: 'allowed',
    params: 'refused',
    fields: {
      command: 'Program and arguments to run in the container, without a shell.',
      script: 'Script to run in the container. Default interpreter: sh.',
    },
    example: '{type: container, config: {image: "alpine:3"}, command: [uname, -a]}',
    snippet: { name: 'container', yaml: 'container:\n  image: alpine:3\ncommand: echo hello\n' },
  },
  gha: {
    label: 'GitHub Action',
    icon: 'puzzle',
    description: 'Runs a GitHub Action, such as owner/action@v1.',
    config: ghaTable,
    command: 'needed',
    script: 'refused',
    params: 'allowed',
    fields: { command: 'Action: owner/name@ref or a path. Set inputs in "params".' },
    example: '{type: gha, command: actions/hello-world@v1, params: {who-to-greet: Ada}}',
    snippet: {
      name: 'action',
      yaml: 'type: gha\ncommand: actions/hello-world-javascript-action@v1.1\nparams:\n  who-to-greet: Ada\n',
    },
  },
  http: {
    label: 'HTTP request',
    icon: 'globe',
    description: 'Sends an HTTP request.',
    config: httpConfig,
    command: 'needed',
    script: 'allowed',
    params: 'refused',
    fields: {
      command: 'Method and URL, such as GET https://example.com/items.',
      script: 'Configuration as a JSON object.',
    },
    example: '{ type: http, command: GET https://example.com/items }',
    snippet: {
      name: 'request',
      yaml: 'type: http\ncommand: GET https://example.com/api\nconfig:\n  timeout: 30\noutput: ANSWER\n',
    },
  },
  jq: {
    label: 'JSON query',
    icon: 'braces',
    description: 'Queries JSON with jq.',
    config: jqTable,
    command: 'allowed',
    script: 'allowed',
    params: 'refused',
    fields: { command: 'jq query.', script: 'JSON to query.' },
    example: `{ type: jq, command: ".name", config: { input: "\${RESULT}" } }`,
    snippet: {
      name: 'query',
      yaml: 'type: jq\ncommand: .items[] | .name\nscript: \'{"items": [{"name": "one"}]}\'\noutput: NAMES\n',
    },
  },
  mail: {
    label: 'Mail',
    icon: 'mail',
    description: 'Sends an email.',
    config: mailConfig,
    command: 'refused',
    script: 'refused',
    params: 'refused',
    example: '{type: mail, config: {from: etl@example.com, to: ops@example.com, subject: Done}}',
    snippet: {
      name: 'mail',
      yaml: 'type: mail\nconfig:\n  from: robot@example.com\n  to: team@example.com\n  subject: Done\n  message: The run has finished.\n',
    },
  },
  sql: {
    label: 'SQL',
    icon: 'database',
    description: 'Runs SQL on the gateway database or a PostgreSQL server.',
    config: sqlTable,
    command: 'allowed',
    script: 'allowed',
    params: 'refused',
    fields: {
      command: 'SQL query. Use $1, $2 and so on for "parameters".',
      script: 'SQL statements, run in one transaction. No parameters.',
    },
    example: `{ type: sql, command: "select * from orders where day = $1", config: { parameters: ["\${DAY}"] } }`,
    snippet: {
      name: 'query',
      yaml: 'type: sql\ncommand: select current_date as day, $1 as word\nconfig:\n  parameters: [hello]\noutput: ROWS\n',
    },
  },
  ssh: {
    label: 'SSH command',
    icon: 'server',
    description: 'Runs a command on another host over SSH.',
    config: sshTable,
    command: 'allowed',
    script: 'allowed',
    params: 'refused',
    fields: {
      command: 'Command to run on the remote host.',
      script: 'Script to run on the remote host.',
    },
    example: '{type: ssh, config: {user: deploy, host: build.example.com}, command: uptime}',
    snippet: {
      name: 'remote',
      yaml: 'type: ssh\nconfig:\n  user: deploy\n  host: server.example.com\n  key: ~/.ssh/id_ed25519\ncommand: uptime\n',
    },
  },
} as const satisfies Readonly<Record<string, StepType>>;

/** The name of a step type with an executor. */
export type ExecutorType = keyof typeof stepTypes;

/** The names of all step types with an executor. */
export const executorTypes = Object.keys(stepTypes) as readonly ExecutorType[];

/** Returns the registration of a step type. */
export const getStepType = (type: ExecutorType): StepType => stepTypes[type];

/** Other names of step types. */
export const executorAliases: Readonly<Record<string, ExecutorType>> = {
  docker: 'container',
  'github-action': 'gha',
  github_action: 'gha',
};

/** Returns the step type with a name or alias; undefined if it has no executor. */
export const findExecutorType = (name: string): ExecutorType | undefined =>
  executorAliases[name] ?? executorTypes.find((each) => each === name);

/** Values of `type` for steps that need no executor of their own: their other fields define what they do. */
export const plainStepTypes: readonly string[] = ['', 'command', 'shell', 'dag', 'subworkflow', 'parallel'];
