import Type from 'typebox';
import { AnyKey, closed, Env, flag, Scalar, scalar, text } from './values.ts';

/** Shapes of what says where steps run other than on this machine. */

const NumberOrText = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.Integer(), Type.String()], { description, examples });
const list = (description: string, ...examples: string[][]) => Type.Array(Scalar, { description, examples });

export const Container = Type.Object(
  {
    image: Type.Optional(text('Image the container is made from.', 'alpine:3')),
    containerName: Type.Optional(text('Name of the container.', 'etl-runner')),
    pullPolicy: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description: 'When the image is fetched: always, missing or never.',
        examples: ['missing'],
      }),
    ),
    env: Type.Optional(Env),
    volumes: Type.Optional(list('Folders and volumes to mount.', ['./data:/data:ro'])),
    user: Type.Optional(scalar('User in the container.', 'node', 1000)),
    workingDir: Type.Optional(text('Working directory in the container.', '/work')),
    platform: Type.Optional(text('Platform of the image.', 'linux/amd64')),
    ports: Type.Optional(list('Ports to publish.', ['8080:80'])),
    network: Type.Optional(text('Network to join.', 'bridge')),
    keepContainer: Type.Optional(flag('Keep the container after the run.')),
    startup: Type.Optional(
      Type.Enum(['keepalive', 'entrypoint', 'command'], {
        description: 'What the container runs while steps are run in it.',
        examples: ['entrypoint'],
      }),
    ),
    command: Type.Optional(list('Command of the container, with startup: command.', ['sleep', 'infinity'])),
    waitFor: Type.Optional(
      Type.Enum(['running', 'healthy'], {
        description: 'State to wait for before the first step.',
        examples: ['healthy'],
      }),
    ),
    logPattern: Type.Optional(text('Text of the log to wait for before the first step.', 'ready')),
    restartPolicy: Type.Optional(text('When the container is started again.', 'unless-stopped')),
  },
  {
    ...closed,
    description: 'Container that the steps run in.',
    examples: [{ image: 'alpine:3' }],
  },
);

export const Ssh = Type.Object(
  {
    user: Type.Optional(text('User to log in as.', 'deploy')),
    host: Type.Optional(text('Host to connect to.', 'build.example.com')),
    port: Type.Optional(NumberOrText('Port of the host; 22 when absent.', 22)),
    key: Type.Optional(text('Path of the private key.', '~/.ssh/id_ed25519')),
    password: Type.Optional(text('Password; better a reference to a secret.', '${SSH_PASSWORD}')),
    strictHostKey: Type.Optional(flag("Check the host's key; true when absent.")),
    knownHostFile: Type.Optional(text('File of the known host keys.', '~/.ssh/known_hosts')),
  },
  {
    ...closed,
    description: 'Host that the steps run on.',
    examples: [{ user: 'deploy', host: 'build.example.com', key: '~/.ssh/id_ed25519' }],
  },
);

export const RegistryAuth = Type.Object(
  {
    username: Type.Optional(text('User of the registry.', 'robot')),
    password: Type.Optional(text('Password; better a reference to a secret.', '${REGISTRY_PASSWORD}')),
    auth: Type.Optional(text('Both in one, in Base64.', '${REGISTRY_AUTH}')),
  },
  closed,
);
export const RegistryAuths = Type.Union(
  [Type.String(), Type.Record(AnyKey, Type.Union([Type.String(), RegistryAuth]))],
  {
    description: 'Logins for private image registries, by host; or the whole as JSON text.',
    examples: [{ 'registry.example.com': { username: 'robot', password: '${REGISTRY_PASSWORD}' } }],
  },
);

export const ExecutorConfig = Type.Object(
  {},
  { description: 'Options of the kind of step.', examples: [{ timeout: 30 }] },
);
export const StepType = Type.Union(
  [
    Type.String(),
    Type.Object(
      {
        type: text('Kind of step.', 'shell'),
        config: Type.Optional(ExecutorConfig),
      },
      closed,
    ),
  ],
  { description: 'Kind of step: "command" (the default).', examples: ['command', { type: 'shell' }] },
);
