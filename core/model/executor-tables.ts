import { configTable, type ConfigOf } from './executor-config.ts';

/** Kinds of archives. */
export const archiveFormats = ['zip', 'tar', 'tar.gz', 'tar.zst', 'tar.xz', 'tar.bz2'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** Values of `command` for an archive step. */
export const archiveOperations = ['extract', 'create', 'list'] as const;
export type ArchiveOperation = (typeof archiveOperations)[number];

/** `config` of a step of type `archive`. */
export const archiveTable = configTable({
  source: {
    kind: 'textList',
    description: 'Archive to extract or list, or files and folders to pack.',
    example: 'build.tar.gz',
    required: true,
  },
  destination: {
    kind: 'text',
    description: 'Folder to extract into (default: working directory), or archive to create.',
    example: 'out',
  },
  format: {
    kind: 'choice',
    values: archiveFormats,
    description: 'Archive format. Default: detected from the content or the destination name.',
  },
  compressionLevel: {
    kind: 'number',
    description: 'Compression level: 0 to 9 (tar.zst: 22). Default: -1 (standard).',
    isAdvanced: true,
  },
  password: {
    kind: 'text',
    description: 'Password of a zip archive. Use a reference to a secret.',
    example: '${ZIP_PASSWORD}',
    isAdvanced: true,
  },
  overwrite: {
    kind: 'flag',
    description: 'Overwrite existing files. Default: false (fails).',
  },
  preservePaths: {
    kind: 'flag',
    description: 'Keep the folder structure. Default: true.',
    isAdvanced: true,
  },
  stripComponents: {
    kind: 'number',
    description: 'Leading folders to remove when extracting. Default: 0.',
    isAdvanced: true,
  },
  include: {
    kind: 'textList',
    description: 'Glob patterns to include. Default: everything.',
    example: ['*.txt'],
  },
  exclude: {
    kind: 'textList',
    description: 'Glob patterns to exclude.',
    example: ['node_modules', '*.tmp'],
  },
  dryRun: {
    kind: 'flag',
    description: 'Show what would be done without writing. Default: false.',
    isAdvanced: true,
  },
  verbose: {
    kind: 'flag',
    description: 'Log each file name to stderr. Default: false.',
    isAdvanced: true,
  },
  followSymlinks: {
    kind: 'flag',
    description: 'Pack link targets instead of symbolic links. Default: false.',
    isAdvanced: true,
  },
  verifyIntegrity: {
    kind: 'flag',
    description: 'Verify the archive before extracting or after creating. Default: false.',
    isAdvanced: true,
  },
  continueOnError: {
    kind: 'flag',
    description: 'Continue after failed entries, with partial success. Default: false.',
    isAdvanced: true,
  },
  maxRatio: {
    kind: 'number',
    description: 'Maximum compression ratio, against zip bombs. Default: 1000.',
    isAdvanced: true,
  },
  maxEntries: {
    kind: 'number',
    description: 'Maximum entries in an archive. Default: 1000000.',
    isAdvanced: true,
  },
});

/** The evaluated `config` of an archive step. */
export type ArchiveConfig = ConfigOf<typeof archiveTable>;

/** A hosted workflow action. */
export const ghaTable = configTable({
  githubInstance: {
    kind: 'text',
    description: 'Server to fetch actions from. Default: github.com.',
    example: 'https://git.example.com',
    isAdvanced: true,
  },
  autoRemove: {
    kind: 'flag',
    description: 'Remove the container of a Docker action afterwards. Default: true.',
    example: false,
    isAdvanced: true,
  },
  network: {
    kind: 'text',
    description: 'Container network for Docker actions.',
    example: 'host',
    isAdvanced: true,
  },
  dockerSocket: {
    kind: 'text',
    description: 'Container engine socket for Docker actions. Default: detected.',
    example: 'unix:///run/user/1000/podman/podman.sock',
    isAdvanced: true,
  },
  forceRebuild: {
    kind: 'flag',
    description: 'Build the image of a Docker action without cache. Default: false.',
    example: true,
    isAdvanced: true,
  },
  privileged: {
    kind: 'flag',
    description: 'Run Docker actions in privileged mode. Default: false.',
    example: true,
    isAdvanced: true,
  },
  capabilities: {
    kind: 'json',
    description: 'Linux capabilities for Docker actions, as {add: […], drop: […]}.',
    example: { add: ['NET_ADMIN'], drop: ['MKNOD'] },
    isAdvanced: true,
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
    isAdvanced: true,
  },
  reuseContainers: {
    kind: 'flag',
    description: 'No effect. Each Docker action gets a new container.',
    example: false,
    isAdvanced: true,
  },
  containerOptions: {
    kind: 'text',
    description: 'No effect. Use "network", "privileged" and "capabilities".',
    example: '--cpus 1',
    isAdvanced: true,
  },
});

/** Evaluated. */
export type GhaConfig = ConfigOf<typeof ghaTable>;

/** Where an action is: in a repository of the server, in a directory of this machine, or in an image. */
export type ActionReference =
  | {
      readonly kind: 'repository';
      readonly owner: string;
      readonly name: string;
      /** Directory of the action in the repository, with forward slashes; empty for the root. */
      readonly path: string;
      /** Branch, tag or commit. */
      readonly ref: string;
    }
  | { readonly kind: 'local'; readonly path: string }
  | { readonly kind: 'image'; readonly image: string };

const namePattern = /^[A-Za-z0-9_.-]+$/;
const localPattern = /^(\.{1,2}([\\/]|$)|[\\/]|[A-Za-z]:[\\/])/;
const imagePrefix = 'docker://';

/**
 * Parses the `uses` of a step or of a step of a composite action: `owner/name@ref`, `owner/name/sub/path@ref`,
 * `./path`, an absolute path, or `docker://image`.
 * @returns the problem and the solution when it is none of them
 */
export function parseActionReference(text: string): ActionReference | { readonly fault: string } {
  const trimmed = text.trim();
  if (trimmed.startsWith(imagePrefix)) return readImage(trimmed);
  if (localPattern.test(trimmed)) return { kind: 'local', path: trimmed };
  const at = trimmed.indexOf('@');
  const [owner = '', name = '', ...folders] = (at < 0 ? trimmed : trimmed.slice(0, at)).split('/');
  const ref = at < 0 ? '' : trimmed.slice(at + 1);
  const quoted = `"${trimmed.slice(0, 120)}"`;
  if (!isName(owner) || !isName(name))
    return {
      fault: `Invalid action ${quoted}. Use owner/name@ref, such as actions/checkout@v5, or a path that starts with "./".`,
    };
  if (at < 0 || ref === '')
    return {
      fault: `Missing version in ${quoted}. Add a tag, branch or commit, such as ${owner}/${name}@v1.`,
    };
  if (!isRef(ref)) return { fault: `Invalid tag, branch or commit "${ref.slice(0, 120)}" in ${quoted}.` };
  const path = folders.filter((folder) => folder !== '');
  if (path.includes('..') || path.includes('.'))
    return { fault: `Invalid path in ${quoted}. Remove "." and "..".` };
  return { kind: 'repository', owner, name, path: path.join('/'), ref };
}

/** Formats a reference as a user writes it. */
export function formatReference(reference: ActionReference): string {
  if (reference.kind === 'local') return reference.path;
  if (reference.kind === 'image') return `${imagePrefix}${reference.image}`;
  const { owner, name, path, ref } = reference;
  return `${[owner, name, ...(path === '' ? [] : [path])].join('/')}@${ref}`;
}

function readImage(trimmed: string): ReturnType<typeof parseActionReference> {
  const image = trimmed.slice(imagePrefix.length);
  if (image === '' || /\s/.test(image))
    return { fault: `Invalid image "${trimmed.slice(0, 120)}". Use a form such as docker://alpine:3.` };
  return { kind: 'image', image };
}

const isName = (text: string): boolean =>
  namePattern.test(text) && text !== '.' && text !== '..' && !text.startsWith('-');

/** Whether git roughly accepts the string as a ref name; rejects anything that git could read as an option. */
const isRef = (text: string): boolean =>
  !/[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|\.lock$|[./]$/u.test(text) && !/^[-/]/.test(text);

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
