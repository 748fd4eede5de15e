import { configTable, type ConfigOf } from './config-table.ts';

/** A hosted workflow action. */
export const ghaTable = configTable({
  githubInstance: {
    kind: 'text',
    description: 'Server to fetch actions from. Default: github.com.',
    example: 'https://git.example.com',
  },
  autoRemove: {
    kind: 'flag',
    description: 'Remove the container of a Docker action afterwards. Default: true.',
    example: false,
  },
  network: {
    kind: 'text',
    description: 'Container network for Docker actions.',
    example: 'host',
  },
  dockerSocket: {
    kind: 'text',
    description: 'Container engine socket for Docker actions. Default: detected.',
    example: 'unix:///run/user/1000/podman/podman.sock',
  },
  forceRebuild: {
    kind: 'flag',
    description: 'Build the image of a Docker action without cache. Default: false.',
    example: true,
  },
  privileged: {
    kind: 'flag',
    description: 'Run Docker actions in privileged mode. Default: false.',
    example: true,
  },
  capabilities: {
    kind: 'json',
    description: 'Linux capabilities for Docker actions, as {add: […], drop: […]}.',
    example: { add: ['NET_ADMIN'], drop: ['MKNOD'] },
  },
  runner: {
    kind: 'text',
    description: 'No effect. Actions run on this machine.',
    example: 'node:24-bookworm',
  },
  artifacts: {
    kind: 'json',
    description: 'No effect. Use files in the working directory.',
    example: { path: '/tmp/artifacts', port: 34567 },
  },
  reuseContainers: {
    kind: 'flag',
    description: 'No effect. Each Docker action gets a new container.',
    example: false,
  },
  containerOptions: {
    kind: 'text',
    description: 'No effect. Use "network", "privileged" and "capabilities".',
    example: '--cpus 1',
  },
});

/** Evaluated. */
export type GhaConfig = ConfigOf<typeof ghaTable>;
