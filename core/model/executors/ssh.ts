import { configTable, type ConfigOf } from './config-table.ts';

/** How a host is reached and logged in to by SSH: `config` of a step, and `ssh` of a workflow. */
export const sshTable = configTable({
  user: {
    kind: 'text',
    description: 'User to log in as; the one that the engine runs as when absent.',
    example: 'deploy',
  },
  host: {
    kind: 'text',
    description: 'Name or address of the host to connect to.',
    example: 'build.example.com',
  },
  ip: {
    kind: 'text',
    description: 'The same as "host".',
    example: '192.0.2.10',
  },
  port: {
    kind: 'number',
    description: 'Port of the SSH server on the host; 22 when absent.',
    example: 2222,
  },
  key: {
    kind: 'text',
    description:
      'Path of the private key to log in with. Without a key and a password the keys of the SSH agent are tried.',
    example: '~/.ssh/id_ed25519',
  },
  passphrase: {
    kind: 'text',
    description: 'What the private key is encrypted with; better a reference to one of the "secrets".',
    example: '${KEY_PASSPHRASE}',
  },
  password: {
    kind: 'text',
    description: 'Password to log in with; better a reference to one of the "secrets".',
    example: '${SSH_PASSWORD}',
  },
  strictHostKey: {
    kind: 'flag',
    description: 'Refuse a host whose key is not in the file of known hosts; true when absent.',
    example: true,
  },
  knownHostFile: {
    kind: 'text',
    description: 'File of the keys of known hosts; ~/.ssh/known_hosts when absent.',
    example: '~/.ssh/known_hosts',
  },
  timeout: {
    kind: 'number',
    description: 'Seconds that connecting and logging in may take; 30 when absent.',
    example: 10,
  },
  keepalive: {
    kind: 'number',
    description:
      'Seconds of silence after which the host is asked whether it is still there; 15 when absent, 0 for never. Three questions without an answer end the connection.',
    example: 30,
  },
});

/** Evaluated. */
export type SshConfig = ConfigOf<typeof sshTable>;
