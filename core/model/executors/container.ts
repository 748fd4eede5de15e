import { configTable, type ConfigOf } from './config-table.ts';

/** `config` of a container step. */
export const containerTable = configTable({
  image: {
    kind: 'text',
    description: 'Image that a container is made of for the step.',
    example: 'alpine:3',
  },
  containerName: {
    kind: 'text',
    description:
      'Without an image: the running container that the command is carried out in. With one: the name of the container that is made.',
    example: 'web-1',
  },
  pull: {
    kind: 'text',
    description:
      'When the image is pulled: "always", "missing" (when it is not there yet; the default) or "never"; true and false are always and never.',
    example: 'missing',
  },
  platform: {
    kind: 'text',
    description: "Platform of the image; the engine's own when absent.",
    example: 'linux/amd64',
  },
  autoRemove: {
    kind: 'flag',
    description: 'Remove the container after the step; true when absent.',
    example: true,
  },
  container: {
    kind: 'json',
    description: 'More of the container, as the Docker Engine API has it in "Config".',
    example: { Env: ['MODE=fast'], WorkingDir: '/work' },
  },
  host: {
    kind: 'json',
    description: 'More of it, as the Docker Engine API has it in "HostConfig".',
    example: { Binds: ['/srv/data:/data:ro'], Memory: 268_435_456 },
  },
  network: {
    kind: 'json',
    description: 'More of it, as the Docker Engine API has it in "NetworkingConfig".',
    example: { EndpointsConfig: { backend: {} } },
  },
  exec: {
    kind: 'json',
    description:
      'For a command in a container that exists: more of it, as the Docker Engine API has it when an exec is created.',
    example: { User: 'postgres', WorkingDir: '/tmp' },
  },
});
/** Evaluated. */
export type ContainerConfig = ConfigOf<typeof containerTable>;

export const pullPolicies = ['always', 'missing', 'never'] as const;
export type PullPolicy = (typeof pullPolicies)[number];

/** What a container runs itself while steps run in it. */
export const startups = ['keepalive', 'entrypoint', 'command'] as const;
export const restartPolicies = ['no', 'always', 'unless-stopped'] as const;
