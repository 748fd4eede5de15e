import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { literals, Timestamp } from '../runs/run-views.ts';
import { NewPassword, RoleView, UserView } from './users.ts';

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

/** The user who is now signed in. */
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
      /** Whether requests need credentials. */
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
    summary: 'Log in with username and password',
    method: 'POST',
    path: '/auth/login',
    input: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 64 }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
    }),
    output: LoginView,
    errors: ['unauthorized', 'too_many_requests'],
    role: 'viewer',
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
  }),
};
