import { createHash } from 'node:crypto';

/** A server that hosts the repositories of actions. */
export interface ActionServer {
  /** Value of `GITHUB_SERVER_URL`, for example https://github.com. */
  readonly url: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** Readable and unique name of the server's folder in the cache. */
  readonly folder: string;
  /** Returns the URL of a repository for git. */
  repositoryUrl(owner: string, name: string): string;
}

/** Default server of actions. */
const defaultServer = 'github.com';

/**
 * Parses `githubInstance`: a host name, an https, http, ssh, git or file URL, or `user@host:` as for ssh.
 * @throws an error with a user-facing message if it is none of these
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

/** GitHub Enterprise Server serves its APIs below /api. */
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
