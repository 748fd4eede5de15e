import Type from 'typebox';
import { AnyKey, closed, withDescription, Env, flag, Scalar, scalar, text } from './values.ts';

/** Schemas of the settings for running steps elsewhere than on this machine. */

const NumberOrText = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.Integer(), Type.String()], { description, examples });
const list = (description: string, ...examples: string[][]) => Type.Array(Scalar, { description, examples });

export const Container = Type.Object(
  {
    image: Type.Optional(
      text('Container image. Required unless steps run in an existing container.', 'alpine:3'),
    ),
    containerName: Type.Optional(
      text('Container name. Without an image: the running container to use.', 'etl-runner'),
    ),
    pullPolicy: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description: 'When to pull the image: always, missing (default) or never.',
        examples: ['missing'],
      }),
    ),
    env: Type.Optional(withDescription(Env, 'Environment variables in the container.')),
    volumes: Type.Optional(
      list('Volumes to mount, as SOURCE:TARGET or SOURCE:TARGET:ro.', ['./data:/data:ro']),
    ),
    user: Type.Optional(scalar('User name or ID. Default: user of the image.', 'node', 1000)),
    workingDir: Type.Optional(
      text('Working directory in the container. Default: that of the image.', '/work'),
    ),
    platform: Type.Optional(
      text('Image platform, such as linux/arm64. Default: platform of the host.', 'linux/amd64'),
    ),
    ports: Type.Optional(list('Ports to publish, as HOST:CONTAINER.', ['8080:80'])),
    network: Type.Optional(text('Network to connect to.', 'bridge')),
    keepContainer: Type.Optional(flag('Keep the container after the run. Default: false.')),
    startup: Type.Optional(
      Type.Enum(['keepalive', 'entrypoint', 'command'], {
        description: 'Main process of the container. Default: keepalive.',
        enumDescriptions: [
          'An idle process.',
          'The entry point of the image.',
          'The command from "command".',
        ],
        examples: ['entrypoint'],
      }),
    ),
    command: Type.Optional(
      list('Main command of the container, for "startup: command".', ['sleep', 'infinity']),
    ),
    waitFor: Type.Optional(
      Type.Enum(['running', 'healthy'], {
        description: 'Container state to wait for before the first step. Default: running.',
        enumDescriptions: ['The container has started.', 'The health check has succeeded.'],
        examples: ['healthy'],
      }),
    ),
    logPattern: Type.Optional(
      text('Log line (regular expression) to wait for before the first step.', 'ready'),
    ),
    restartPolicy: Type.Optional(text('Restart policy: no, always or unless-stopped.', 'unless-stopped')),
  },
  {
    ...closed,
    description: 'Container to run commands in.',
    examples: [{ image: 'alpine:3' }],
  },
);

export const Ssh = Type.Object(
  {
    user: Type.Optional(text('SSH username.', 'deploy')),
    host: Type.Optional(text('Host name or IP address.', 'build.example.com')),
    port: Type.Optional(NumberOrText('SSH port. Default: 22.', 22, '${SSH_PORT}')),
    key: Type.Optional(text('Path of the private key.', '~/.ssh/id_ed25519')),
    passphrase: Type.Optional(
      text('Passphrase of the private key. Use a reference to a secret.', '${KEY_PASSPHRASE}'),
    ),
    password: Type.Optional(text('Password. Use a reference to a secret.', '${SSH_PASSWORD}')),
    strictHostKey: Type.Optional(flag('Reject hosts that are not in known_hosts. Default: true.')),
    knownHostFile: Type.Optional(
      text('Path of the known_hosts file. Default: ~/.ssh/known_hosts.', '~/.ssh/known_hosts'),
    ),
    timeout: Type.Optional(NumberOrText('Connection timeout in seconds. Default: 30.', 10)),
    keepalive: Type.Optional(NumberOrText('Keepalive interval in seconds. Default: 15. 0 turns it off.', 30)),
  },
  {
    ...closed,
    description: 'SSH host for all steps.',
    examples: [{ user: 'deploy', host: 'build.example.com', key: '~/.ssh/id_ed25519' }],
  },
);

export const RegistryAuth = Type.Object(
  {
    username: Type.Optional(text('Registry username.', 'robot')),
    password: Type.Optional(text('Password or token. Use a reference to a secret.', '${REGISTRY_PASSWORD}')),
    token: Type.Optional(text('Token, used instead of username and password.', '${REGISTRY_TOKEN}')),
    auth: Type.Optional(text('Base64-encoded USER:PASSWORD.', '${REGISTRY_AUTH}')),
  },
  closed,
);
export const RegistryAuths = Type.Union(
  [Type.String(), Type.Record(AnyKey, Type.Union([Type.String(), RegistryAuth]))],
  {
    description: 'Credentials for private image registries, by host.',
    examples: [{ 'registry.example.com': { username: 'robot', password: '${REGISTRY_PASSWORD}' } }],
  },
);

export const ExecutorConfig = Type.Object(
  {},
  { description: 'Options of the step type.', examples: [{ timeout: 30 }] },
);
export const StepType = Type.Union(
  [
    Type.String(),
    Type.Object(
      {
        type: text('Step type, such as "command".', 'shell'),
        config: Type.Optional(ExecutorConfig),
      },
      closed,
    ),
  ],
  {
    description: 'How this step runs. Default: a local command.',
    examples: ['command', { type: 'shell' }],
  },
);
