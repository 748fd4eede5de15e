import { key, optionalKey, secretKey, type ConfigTable } from '../config-key.ts';
import { roleMapping, roleName } from '../values/read-role-mapping.ts';
import { literalText, text, webAddress, wordList } from '../values/read-texts.ts';
import { duration, flag, oneOf } from '../values/read-values.ts';

/** Authentication. Secrets may also be set by variables without the prefix `ENGINE_`, like the mode. */
export const authSection = {
  mode: key(oneOf('none', 'builtin', 'oidc'), 'none', 'AUTH_MODE', 'ENGINE_AUTH_MODE'),
  builtin: {
    /** Lifetime of a session in seconds. */
    tokenTtl: key(duration(60), 24 * 3600, 'ENGINE_AUTH_TOKEN_TTL'),
  },
  /** User name and password for basic authentication. */
  basic: {
    username: optionalKey(text, 'AUTH_BASIC_USERNAME', 'ENGINE_AUTH_BASIC_USERNAME'),
    password: secretKey(literalText, 'AUTH_BASIC_PASSWORD', 'ENGINE_AUTH_BASIC_PASSWORD'),
  },
  /** A single admin token. */
  token: {
    value: secretKey(text, 'AUTH_TOKEN', 'ENGINE_AUTH_TOKEN'),
  },
  oidc: {
    /** URL of the provider, below which its discovery document is. */
    issuer: optionalKey(webAddress, 'ENGINE_AUTH_OIDC_ISSUER'),
    clientId: optionalKey(text, 'ENGINE_AUTH_OIDC_CLIENT_ID'),
    /** Absent for a public client. */
    clientSecret: secretKey(literalText, 'AUTH_OIDC_CLIENT_SECRET', 'ENGINE_AUTH_OIDC_CLIENT_SECRET'),
    scopes: key(wordList, ['openid', 'profile', 'email'], 'ENGINE_AUTH_OIDC_SCOPES'),
    /** Path of the claim with the role, such as `groups` or `realm_access.roles`. */
    roleClaim: optionalKey(text, 'ENGINE_AUTH_OIDC_ROLE_CLAIM'),
    /** Role by value of that claim. Without a mapping, a value that is the name of a role is used directly. */
    roleMapping: key(roleMapping, new Map(), 'ENGINE_AUTH_OIDC_ROLE_MAPPING'),
    /** Role of users whose claim gives none. */
    defaultRole: optionalKey(roleName, 'ENGINE_AUTH_OIDC_DEFAULT_ROLE'),
    /** Users to admit. If both are empty, every user that the provider signs in is admitted. */
    allowedEmails: key(wordList, [], 'ENGINE_AUTH_OIDC_ALLOWED_EMAILS', 'ENGINE_AUTH_OIDC_WHITELIST'),
    allowedDomains: key(wordList, [], 'ENGINE_AUTH_OIDC_ALLOWED_DOMAINS'),
    /**
     * Accept access tokens that can only be verified at the userinfo endpoint, whichever application they were issued
     * to.
     */
    userinfoTokens: key(flag, false, 'ENGINE_AUTH_OIDC_USERINFO_TOKENS'),
  },
} as const satisfies ConfigTable;
