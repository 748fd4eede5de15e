import { configTable, type ConfigOf } from './executor-config.ts';

/** `config` of a container step. */
export const containerTable = configTable({
  image: {
    kind: 'text',
    description: 'Container image for the step.',
    example: 'alpine:3',
  },
  containerName: {
    kind: 'text',
    description: 'Container name. Without an image: the running container to use.',
    example: 'web-1',
    isAdvanced: true,
  },
  pull: {
    kind: 'text',
    description: 'When to pull the image: always, missing (default) or never.',
    example: 'missing',
    isAdvanced: true,
  },
  platform: {
    kind: 'text',
    description: 'Image platform. Default: platform of the container engine.',
    example: 'linux/amd64',
    isAdvanced: true,
  },
  autoRemove: {
    kind: 'flag',
    description: 'Remove the container after the step. Default: true.',
    example: true,
    isAdvanced: true,
  },
  container: {
    kind: 'json',
    description: 'Extra settings for "Config" of the Docker Engine API.',
    example: { Env: ['MODE=fast'], WorkingDir: '/work' },
  },
  host: {
    kind: 'json',
    description: 'Extra settings for "HostConfig" of the Docker Engine API.',
    example: { Binds: ['/srv/data:/data:ro'], Memory: 268_435_456 },
    isAdvanced: true,
  },
  network: {
    kind: 'json',
    description: 'Extra settings for "NetworkingConfig" of the Docker Engine API.',
    example: { EndpointsConfig: { backend: {} } },
    isAdvanced: true,
  },
  exec: {
    kind: 'json',
    description: 'Extra exec settings of the Docker Engine API.',
    example: { User: 'postgres', WorkingDir: '/tmp' },
    isAdvanced: true,
  },
});
/** Evaluated. */
export type ContainerConfig = ConfigOf<typeof containerTable>;

export const pullPolicies = ['always', 'missing', 'never'] as const;
export type PullPolicy = (typeof pullPolicies)[number];

/** The process that a container runs itself while steps run in it. */
export const startups = ['keepalive', 'entrypoint', 'command'] as const;
export const restartPolicies = ['no', 'always', 'unless-stopped'] as const;
