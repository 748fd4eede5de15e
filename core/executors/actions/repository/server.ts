import { createHash } from 'node:crypto';

/** Where the repositories of actions are. */
export interface ActionServer {
  /** For `GITHUB_SERVER_URL`; https://github.com for instance. */
  readonly url: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** Name of its folder in the cache: readable, and its own. */
  readonly folder: string;
  /** What git is given for a repository. */
  repositoryUrl(owner: string, name: string): string;
}

/** The server when a step names none. */
const defaultServer = 'github.com';

/**
 * Reads `githubInstance`: a host name, a URL of https, http, ssh, git or file, or `user@host:` as ssh has it. Throws an
 * error for people when it is none of them.
 */
export function readServer(instance: string = defaultServer): ActionServer {
  const base = instance.trim().replace(/\/+$/, '');
  if (base === '' || base.startsWith('-') || /[\s\p{Cc}]/u.test(base))
    throw new Error(
      `Invalid config.githubInstance ${JSON.stringify(instance)}. Use a host name or URL, such as https://git.example.com.`,
    );
  const isScp = /^[\w.-]+@[\w.-]+:/.test(base);
  const isUrl = /^(https?|ssh|git|file):\/\//.test(base);
  if (!isUrl && base.includes('://'))
    throw new Error(
      `Unsupported protocol in config.githubInstance ${JSON.stringify(instance)}. Use https, ssh, git or file.`,
    );
  const root = isUrl || isScp || base.startsWith('/') ? base : `https://${base}`;
  const separator = isScp && root.endsWith(':') ? '' : '/';
  return {
    ...describeWeb(root),
    folder: nameFolder(base),
    repositoryUrl: (owner, name) => `${root}${separator}${owner}/${name}`,
  };
}

/** An own server has its interfaces below /api (as the hosted service says of its enterprise edition). */
function describeWeb(root: string): Pick<ActionServer, 'url' | 'apiUrl' | 'graphqlUrl'> {
  const isHosted = root === `https://${defaultServer}`;
  return {
    url: root,
    apiUrl: isHosted ? 'https://api.github.com' : `${root}/api/v3`,
    graphqlUrl: isHosted ? 'https://api.github.com/graphql' : `${root}/api/graphql`,
  };
}

function nameFolder(base: string): string {
  const readable = base
    .replace(/^[a-z]+:\/\//, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  return `${readable}-${createHash('sha256').update(base).digest('hex').slice(0, 8)}`;
}
