import { configTable, type ConfigOf } from './config-table.ts';

/** How a host is reached and authenticated by SSH: `config` of a step, and `ssh` of a workflow. */
export const sshTable = configTable({
  user: {
    kind: 'text',
    description: 'SSH user. Default: the user of the engine.',
    example: 'deploy',
  },
  host: {
    kind: 'text',
    description: 'Host name or IP address.',
    example: 'build.example.com',
  },
  ip: {
    kind: 'text',
    description: 'Same as "host".',
    example: '192.0.2.10',
  },
  port: {
    kind: 'number',
    description: 'SSH port. Default: 22.',
    example: 2222,
  },
  key: {
    kind: 'text',
    description: 'Path of the private key. Default: keys of the SSH agent.',
    example: '~/.ssh/id_ed25519',
  },
  passphrase: {
    kind: 'text',
    description: 'Passphrase of the private key. Use a reference to a secret.',
    example: '${KEY_PASSPHRASE}',
  },
  password: {
    kind: 'text',
    description: 'Password. Use a reference to a secret.',
    example: '${SSH_PASSWORD}',
  },
  strictHostKey: {
    kind: 'flag',
    description: 'Reject hosts that are not in known_hosts. Default: true.',
    example: true,
  },
  knownHostFile: {
    kind: 'text',
    description: 'Path of the known_hosts file. Default: ~/.ssh/known_hosts.',
    example: '~/.ssh/known_hosts',
  },
  timeout: {
    kind: 'number',
    description: 'Connection timeout in seconds. Default: 30.',
    example: 10,
  },
  keepalive: {
    kind: 'number',
    description: 'Keepalive interval in seconds. Default: 15. 0 turns it off.',
    example: 30,
  },
});

/** Evaluated. */
export type SshConfig = ConfigOf<typeof sshTable>;
