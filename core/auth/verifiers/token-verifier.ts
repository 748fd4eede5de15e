import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { includesRole, type Role } from '../../contract/operation.ts';
import type { Credentials, Identity, Verifier } from '../identity.ts';
import { secretPrefix, type ApiToken, type ApiTokens } from '../tokens/api-tokens.ts';
import type { Users } from '../users/users.ts';

/** Whether the user is from a provider. These are not in the file; their tokens have a fixed role until revoked. */
const isProviderUser = (id: string): boolean => id.startsWith('oidc:');

/** Verifies API tokens. A token is invalid without its owner, and never has a higher role than its owner. */
export class TokenVerifier implements Verifier {
  readonly #tokens: ApiTokens;
  readonly #users: Users;
  readonly #logger: Logger;

  constructor(deps: { readonly tokens: ApiTokens; readonly users: Users; readonly logger: Logger }) {
    this.#tokens = deps.tokens;
    this.#users = deps.users;
    this.#logger = deps.logger;
  }

  async verify(credentials: Credentials): Promise<Identity | undefined> {
    if (credentials.scheme !== 'bearer' || !credentials.token.startsWith(secretPrefix)) return undefined;
    const token = this.#tokens.find(credentials.token);
    const identity = token && this.#identify(token);
    if (token && identity) this.#recordUse(token);
    return identity;
  }

  #identify({ id, name, role, owner, expiresAt }: ApiToken): Identity | undefined {
    const credential = { kind: 'token', id, expiresAt } as const;
    if (owner === undefined) return { name: `token "${name}"`, role, credential };
    const user = isProviderUser(owner.id) ? { ...owner, role } : this.#users.find(owner.id);
    if (user === undefined) return undefined;
    return {
      name: `${user.username} (token "${name}")`,
      role: lowerRole(role, user.role),
      user: { id: user.id, username: user.username },
      credential,
    };
  }

  /** Errors are ignored, because a full disk must not prevent reading. */
  #recordUse(token: ApiToken): void {
    try {
      this.#tokens.recordUse(token);
    } catch (error) {
      this.#logger.warn(`cannot record the last use of a token: ${messageOf(error)}`);
    }
  }
}

const lowerRole = (left: Role, right: Role): Role => (includesRole(left, right) ? right : left);
