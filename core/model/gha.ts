import { configTable, type ConfigOf } from './executor-config.ts';

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
