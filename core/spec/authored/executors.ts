import Type from 'typebox';
import { AnyKey, closed, describe, Env, flag, Scalar, scalar, text } from './values.ts';

/** Shapes of what says where steps run other than on this machine. */

const NumberOrText = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.Integer(), Type.String()], { description, examples });
const list = (description: string, ...examples: string[][]) => Type.Array(Scalar, { description, examples });

export const Container = Type.Object(
  {
    image: Type.Optional(
      text(
        'Image the container is made from. Needed, unless steps run in a container that exists.',
        'alpine:3',
      ),
    ),
    containerName: Type.Optional(
      text(
        'With an image: name of the container that is made; one is made up when absent. Without: the running container that commands are carried out in.',
        'etl-runner',
      ),
    ),
    pullPolicy: Type.Optional(
      Type.Union([Type.String(), Type.Boolean()], {
        description:
          'When the image is fetched: "always", "missing" (the default: when it is not here) or "never"; true and false are always and never.',
        examples: ['missing'],
      }),
    ),
    env: Type.Optional(
      describe(Env, 'Variables in the container: a map, or a list of maps and of KEY=value.'),
    ),
    volumes: Type.Optional(
      list(
        'Folders and volumes to mount, as SOURCE:TARGET or SOURCE:TARGET:ro; a relative source counts from "workingDir".',
        ['./data:/data:ro'],
      ),
    ),
    user: Type.Optional(
      scalar(
        'User, by name or number, that commands run as in the container; that of the image when absent.',
        'node',
        1000,
      ),
    ),
    workingDir: Type.Optional(
      text('Directory in the container that commands start in; that of the image when absent.', '/work'),
    ),
    platform: Type.Optional(
      text(
        'Operating system and processor of the image, such as linux/arm64; those of the host when absent.',
        'linux/amd64',
      ),
    ),
    ports: Type.Optional(list('Ports to publish, as HOST:CONTAINER.', ['8080:80'])),
    network: Type.Optional(text('Network that the container joins.', 'bridge')),
    keepContainer: Type.Optional(
      flag(
        'Leave the container there after the run; false when absent. With a name, the next run uses it again.',
      ),
    ),
    startup: Type.Optional(
      Type.Enum(['keepalive', 'entrypoint', 'command'], {
        description: 'What the container itself runs while steps run in it; keepalive when absent.',
        enumDescriptions: [
          'A program that only waits.',
          "The image's own entry point.",
          'What "command" says.',
        ],
        examples: ['entrypoint'],
      }),
    ),
    command: Type.Optional(
      list(
        'What the container runs itself, for "startup: command"; the entry point of the image is given it when there is one.',
        ['sleep', 'infinity'],
      ),
    ),
    waitFor: Type.Optional(
      Type.Enum(['running', 'healthy'], {
        description: 'State of the container to wait for before the first step; running when absent.',
        enumDescriptions: ['It has started.', 'Its health check has succeeded.'],
        examples: ['healthy'],
      }),
    ),
    logPattern: Type.Optional(
      text("Regular expression to wait for in the container's log before the first step.", 'ready'),
    ),
    restartPolicy: Type.Optional(
      text(
        'When the container is started again after its end: "no", "always" or "unless-stopped".',
        'unless-stopped',
      ),
    ),
  },
  {
    ...closed,
    description: 'Container that commands run in.',
    examples: [{ image: 'alpine:3' }],
  },
);

export const Ssh = Type.Object(
  {
    user: Type.Optional(text('User to log in as.', 'deploy')),
    host: Type.Optional(text('Name or address of the host to connect to.', 'build.example.com')),
    port: Type.Optional(
      NumberOrText('Port of the SSH server on the host; 22 when absent.', 22, '${SSH_PORT}'),
    ),
    key: Type.Optional(text('Path of the private key to log in with.', '~/.ssh/id_ed25519')),
    passphrase: Type.Optional(
      text(
        'What the private key is encrypted with; better a reference to one of the "secrets".',
        '${KEY_PASSPHRASE}',
      ),
    ),
    password: Type.Optional(
      text('Password to log in with; better a reference to one of the "secrets".', '${SSH_PASSWORD}'),
    ),
    strictHostKey: Type.Optional(
      flag('Refuse a host whose key is not in the file of known hosts; true when absent.'),
    ),
    knownHostFile: Type.Optional(
      text('File of the keys of known hosts; ~/.ssh/known_hosts when absent.', '~/.ssh/known_hosts'),
    ),
    timeout: Type.Optional(
      NumberOrText('Seconds that connecting and logging in may take; 30 when absent.', 10),
    ),
    keepalive: Type.Optional(
      NumberOrText(
        'Seconds of silence after which the host is asked whether it is still there; 15 when absent, 0 for never.',
        30,
      ),
    ),
  },
  {
    ...closed,
    description: 'Host that the commands of all steps run on, by SSH.',
    examples: [{ user: 'deploy', host: 'build.example.com', key: '~/.ssh/id_ed25519' }],
  },
);

export const RegistryAuth = Type.Object(
  {
    username: Type.Optional(text('User to log in to the registry as.', 'robot')),
    password: Type.Optional(
      text('Password or token; better a reference to one of the "secrets".', '${REGISTRY_PASSWORD}'),
    ),
    token: Type.Optional(text('Token in place of a password; it needs no user name.', '${REGISTRY_TOKEN}')),
    auth: Type.Optional(
      text('User and password in one, as the Base64 text of USER:PASSWORD.', '${REGISTRY_AUTH}'),
    ),
  },
  closed,
);
export const RegistryAuths = Type.Union(
  [Type.String(), Type.Record(AnyKey, Type.Union([Type.String(), RegistryAuth]))],
  {
    description:
      'Logins for private image registries: a map of hosts to logins, or the whole as one JSON text.',
    examples: [{ 'registry.example.com': { username: 'robot', password: '${REGISTRY_PASSWORD}' } }],
  },
);

export const ExecutorConfig = Type.Object(
  {},
  { description: 'Options of the kind of step that "type" names.', examples: [{ timeout: 30 }] },
);
export const StepType = Type.Union(
  [
    Type.String(),
    Type.Object(
      {
        type: text('Kind of step, such as "command".', 'shell'),
        config: Type.Optional(ExecutorConfig),
      },
      closed,
    ),
  ],
  {
    description:
      'What carries the step out; a command of this machine when absent. A name, or a map of "type" and "config".',
    examples: ['command', { type: 'shell' }],
  },
);
