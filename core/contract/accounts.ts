import Type, { type Static } from 'typebox';
import { userNamePattern } from '../base/ids.ts';
import { defineOperation, roles } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

export const RoleView = literals(roles);

/** Compared case-insensitively. */
export const UserName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: userNamePattern,
  description: 'Username: at most 64 characters, no spaces or colons',
});
export const NewPassword = Type.String({ minLength: 8, maxLength: 256 });

/** A user of the user file. */
export const UserView = Type.Object({
  id: Type.String(),
  username: Type.String(),
  role: RoleView,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type UserView = Static<typeof UserView>;

const userId = Type.String({ minLength: 1, maxLength: 64, description: 'User ID' });

export const userOperations = {
  'users.list': defineOperation({
    summary: 'List users, sorted by name',
    method: 'GET',
    path: '/users',
    input: Type.Object({
      /** Default: 50. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ users: Type.Array(UserView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'admin',
    label: 'list the users',
  }),
  'users.create': defineOperation({
    summary: 'Create a user',
    method: 'POST',
    path: '/users',
    status: 201,
    input: Type.Object({ username: UserName, password: NewPassword, role: RoleView }),
    output: UserView,
    errors: ['already_exists'],
    role: 'admin',
    label: 'create a user',
    audit: 'user',
  }),
  'users.get': defineOperation({
    summary: 'Get a user',
    method: 'GET',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
    label: 'see other users',
  }),
  'users.update': defineOperation({
    summary: 'Change the name or role of a user (a new role applies immediately)',
    method: 'PATCH',
    path: '/users/{userId}',
    input: Type.Object({ userId, username: Type.Optional(UserName), role: Type.Optional(RoleView) }),
    output: UserView,
    errors: ['not_found', 'already_exists'],
    role: 'admin',
    label: 'change the name or role of a user',
    audit: 'user',
  }),
  'users.delete': defineOperation({
    summary: 'Delete a user and end all sessions and tokens of this user',
    method: 'DELETE',
    path: '/users/{userId}',
    input: Type.Object({ userId }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
    label: 'delete a user',
    audit: 'user',
  }),
  'users.resetPassword': defineOperation({
    summary: 'Set a new password for a user and end all sessions of this user',
    method: 'POST',
    path: '/users/{userId}/reset-password',
    input: Type.Object({ userId, newPassword: NewPassword }),
    output: UserView,
    errors: ['not_found'],
    role: 'admin',
    label: 'reset the password of a user',
    audit: 'user',
  }),
};

/** Authentication modes (`AUTH_MODE`). */
export const authModes = ['none', 'builtin', 'oidc'] as const;
export type AuthMode = (typeof authModes)[number];

/** Kinds of credentials of a caller. */
export const credentialKinds = ['session', 'token', 'basic', 'oidc'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** A login method of this server. */
const LoginKindView = Type.Object({
  /** `password`: `auth.login`. `oidc`: the browser navigates to `path`. */
  kind: literals(['password', 'oidc']),
  /** Path of this server that starts the login. */
  path: Type.Optional(Type.String()),
  /** Path of this server that ends the session, at the provider as well. */
  logoutPath: Type.Optional(Type.String()),
  /** Why the method cannot be used now. */
  problem: Type.Optional(Type.String()),
});
export type LoginKindView = Static<typeof LoginKindView>;

/** The signed-in user. */
export const LoginView = Type.Object({
  token: Type.String({ description: 'Use in `Authorization: Bearer`. Browsers also receive a cookie.' }),
  expiresAt: Timestamp,
  user: UserView,
});
export type LoginView = Static<typeof LoginView>;

export const authOperations = {
  'auth.info': defineOperation({
    summary: 'Get the authentication settings and login methods of the server',
    method: 'GET',
    path: '/auth',
    input: Type.Object({}),
    output: Type.Object({
      mode: literals(authModes),
      /** Whether requests require credentials. */
      required: Type.Boolean(),
      logins: Type.Array(LoginKindView),
      /** The first admin must be created on the machine itself before anyone can sign in (`engine users create`). */
      setupNeeded: Type.Boolean(),
      /** No credentials are required, or the request has the cookie of a valid session. */
      signedIn: Type.Boolean(),
    }),
    errors: [],
    role: 'viewer',
    public: true,
  }),
  'auth.login': defineOperation({
    summary: 'Sign in with username and password',
    method: 'POST',
    path: '/auth/login',
    input: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 64 }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
    }),
    output: LoginView,
    errors: ['unauthorized', 'too_many_requests'],
    role: 'viewer',
    label: 'sign in',
    audit: 'login',
    public: true,
  }),
  'auth.logout': defineOperation({
    summary: 'End this session or all sessions of the user (API tokens are not affected)',
    method: 'POST',
    path: '/auth/logout',
    input: Type.Object({ everywhere: Type.Optional(Type.Boolean()) }),
    output: Type.Object({ loggedOut: Type.Boolean() }),
    errors: [],
    role: 'viewer',
    label: 'sign out',
    audit: 'resource',
  }),
  'auth.me': defineOperation({
    summary: 'Get the current user and its permissions',
    method: 'GET',
    path: '/auth/me',
    input: Type.Object({}),
    output: Type.Object({
      /** Display name: the user name, or that of the token. */
      name: Type.String(),
      role: RoleView,
      /** `machine`: no authentication, as in the desktop window or with `AUTH_MODE=none`. */
      via: literals(['machine', ...credentialKinds]),
      /** A user of the user file; absent for others. */
      user: Type.Optional(UserView),
      /** Expiry of the session or token; absent if it does not expire. */
      expiresAt: Type.Optional(Timestamp),
    }),
    errors: [],
    role: 'viewer',
  }),
  'auth.changePassword': defineOperation({
    summary: 'Change your own password, end your other sessions and start a new session',
    method: 'POST',
    path: '/auth/change-password',
    input: Type.Object({
      currentPassword: Type.String({ minLength: 1, maxLength: 256 }),
      newPassword: NewPassword,
    }),
    output: LoginView,
    errors: ['too_many_requests'],
    role: 'viewer',
    label: 'change your own password',
    audit: 'resource',
  }),
};

/** An API token without its secret, which cannot be shown again. */
export const TokenView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** Maximum role; never exceeds the role of its owner. */
  role: RoleView,
  /** User name of the owner; absent for a token that was created on the machine itself. */
  owner: Type.Optional(Type.String()),
  /** The first characters, to distinguish tokens: `swt_3fQ9`. */
  hint: Type.String(),
  createdAt: Timestamp,
  /** Absent for a token that does not expire. */
  expiresAt: Type.Optional(Timestamp),
  /** Accurate to about a minute; absent if it was never used. */
  lastUsedAt: Type.Optional(Timestamp),
});
export type TokenView = Static<typeof TokenView>;

export const tokenOperations = {
  'tokens.list': defineOperation({
    summary: 'List API tokens, newest first (admins see all tokens, other users their own)',
    method: 'GET',
    path: '/tokens',
    input: Type.Object({
      /** Default: 50. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String()),
    }),
    output: Type.Object({ tokens: Type.Array(TokenView), nextCursor: Type.Optional(Type.String()) }),
    errors: [],
    role: 'viewer',
  }),
  'tokens.create': defineOperation({
    summary: 'Create an API token (the secret is returned only once)',
    method: 'POST',
    path: '/tokens',
    status: 201,
    input: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 64 }),
      /** Must not exceed the caller's role. */
      role: RoleView,
      /** Default: does not expire. */
      expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    }),
    output: Type.Object({
      token: TokenView,
      /** `swt_…`, for `Authorization: Bearer`. */
      secret: Type.String(),
    }),
    errors: ['already_exists'],
    role: 'viewer',
    label: 'create an API token',
    audit: 'token',
  }),
  'tokens.delete': defineOperation({
    summary: 'Revoke an API token (admins: any token, other users: their own)',
    method: 'DELETE',
    path: '/tokens/{tokenId}',
    input: Type.Object({ tokenId: Type.String({ minLength: 1, maxLength: 64 }) }),
    output: TokenView,
    errors: ['not_found'],
    role: 'viewer',
    label: 'revoke an API token',
    audit: 'token',
  }),
};
