import type { JsonObject } from '../../base/json.ts';
import { stableId } from './stable-id.ts';

/** The repository whose events are those of this home: its workflows are the files of the branch `main`. */
export const ownRepository = 'local/workflows';
/** The enterprise that everything here belongs to. */
export const ownEnterprise = 'local';
export const ownBranch = 'main';

/** A name with its owner, `octo/hello`. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** Reads `owner/name`; undefined for anything else. */
export function parseRepository(fullName: string): RepositoryName | undefined {
  const [owner, name, more] = fullName.split('/');
  return owner && name && more === undefined ? { owner, name } : undefined;
}

export const repositoryId = (fullName: string): number => stableId(`repository ${fullName}`);
export const accountId = (login: string): number => stableId(`account ${login}`) + 1;

/** A repository as payloads show it (seed 2, Common payload properties). */
export function describeRepository(fullName: string): JsonObject {
  const { owner, name } = parseRepository(fullName) ?? { owner: fullName, name: fullName };
  return {
    id: repositoryId(fullName),
    name,
    full_name: fullName,
    owner: { login: owner, id: accountId(owner), type: 'Organization' },
    private: true,
    default_branch: ownBranch,
  };
}
