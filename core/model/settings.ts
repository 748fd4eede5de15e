import Type, { type Static } from 'typebox';
import { TextMap } from './workflow/values.ts';

/** A value that steps get as a variable and that is masked wherever it is shown. */
export const Secret = Type.Object({
  /** The variable. */
  name: Type.String(),
  /** `env` or `file`. */
  provider: Type.String(),
  /** What the provider looks up: a variable of the engine, or a path relative to the workflow. */
  key: Type.String(),
  options: TextMap,
});
export type Secret = Static<typeof Secret>;

/** When a mail tells of the end of a run. */
export const MailOn = Type.Object({ failure: Type.Boolean(), success: Type.Boolean() });
export type MailOn = Static<typeof MailOn>;

/** A login for a registry of images: user and password (or token), or both in one as Base64 of USER:PASSWORD. */
export const RegistryAuth = Type.Object({
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
});

/** Logins by host, each as a map or as JSON text; or the whole as JSON text. Values are unexpanded. */
export const RegistryAuths = Type.Union([
  Type.String(),
  Type.Record(Type.String(), Type.Union([Type.String(), RegistryAuth])),
]);
export type RegistryAuths = Static<typeof RegistryAuths>;

/** A mail server; values are unexpanded. */
export const Smtp = Type.Object({
  host: Type.Optional(Type.String()),
  /** A number, or an expression for one. */
  port: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  /** Take a certificate that nobody vouches for. */
  skipTLSVerify: Type.Optional(Type.Boolean()),
  /** Whether nothing is said without encryption; absent: when there is a log-in on another machine. */
  requireTLS: Type.Optional(Type.Boolean()),
});
export type Smtp = Static<typeof Smtp>;

/** A mail of a run; values are unexpanded. */
export const MailTarget = Type.Object({
  from: Type.Optional(Type.String()),
  to: Type.Array(Type.String()),
  /** Beginning of the subject. */
  prefix: Type.Optional(Type.String()),
  attachLogs: Type.Optional(Type.Boolean()),
});
export type MailTarget = Static<typeof MailTarget>;

/** Where traces of runs go; values are unexpanded. */
export const Otel = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  endpoint: Type.Optional(Type.String()),
  headers: TextMap,
  insecure: Type.Optional(Type.Boolean()),
  /** Longest time of one request; 30 when absent. */
  timeoutSec: Type.Optional(Type.Number()),
  /** Attributes of every span. */
  resource: TextMap,
});
export type Otel = Static<typeof Otel>;

/** What a start dialog lets a person change. */
export const RunConfig = Type.Object({
  disableParamEdit: Type.Optional(Type.Boolean()),
  disableRunIdEdit: Type.Optional(Type.Boolean()),
});
export type RunConfig = Static<typeof RunConfig>;
