import { configTable, type ConfigOf } from './config-table.ts';

/** A hosted workflow action. */
export const ghaTable = configTable({
  githubInstance: {
    kind: 'text',
    description:
      'Server that actions are fetched from: a host name or a URL (https, ssh or file); github.com when absent.',
    example: 'https://git.example.com',
  },
  autoRemove: {
    kind: 'flag',
    description: 'Remove the container of a Docker action when it has ended; true when absent.',
    example: false,
  },
  network: {
    kind: 'text',
    description: 'Network of the container of a Docker action, as the container engine names it.',
    example: 'host',
  },
  dockerSocket: {
    kind: 'text',
    description:
      'Socket or address of the container engine for Docker actions; found as for container steps when absent.',
    example: 'unix:///run/user/1000/podman/podman.sock',
  },
  forceRebuild: {
    kind: 'flag',
    description: 'Build the image of a Docker action without what earlier builds left; false when absent.',
    example: true,
  },
  privileged: {
    kind: 'flag',
    description: 'Give the container of a Docker action all rights of the machine; false when absent.',
    example: true,
  },
  capabilities: {
    kind: 'json',
    description: 'Rights that the container of a Docker action gets or loses, as {add: […], drop: […]}.',
    example: { add: ['NET_ADMIN'], drop: ['MKNOD'] },
  },
  runner: {
    kind: 'text',
    description: 'Without effect: actions run on this machine, not in an image of a runner.',
    example: 'node:24-bookworm',
  },
  artifacts: {
    kind: 'json',
    description: 'Without effect: there is no artifact server. Use files in the working directory.',
    example: { path: '/tmp/artifacts', port: 34567 },
  },
  reuseContainers: {
    kind: 'flag',
    description: 'Without effect: each run of a Docker action has a container of its own.',
    example: false,
  },
  containerOptions: {
    kind: 'text',
    description: 'Without effect: use "network", "privileged" and "capabilities".',
    example: '--cpus 1',
  },
});

/** Evaluated. */
export type GhaConfig = ConfigOf<typeof ghaTable>;
