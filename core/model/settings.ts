import Type, { type Static } from 'typebox';
import { TextMap } from './step.ts';

/** A value that steps get as a variable and that is masked wherever it is displayed. */
export const Secret = Type.Object({
  /** The variable. */
  name: Type.String(),
  /** A name of `secretProviders`. */
  provider: Type.String(),
  /** What to look up there: a name, a variable, a path or a command. */
  key: Type.String(),
  options: TextMap,
});
export type Secret = Static<typeof Secret>;

/** When to send a mail about the end of a run. */
export const MailOn = Type.Object({ failure: Type.Boolean(), success: Type.Boolean() });
export type MailOn = Static<typeof MailOn>;

/** `notify` of a workflow: the channels of each event. */
export const Notify = Type.Object({
  to: Type.Record(Type.String(), Type.Array(Type.String())),
  /** Failures in a row before the first message. */
  after: Type.Integer(),
  /** Only the first message of failures in a row. */
  once: Type.Optional(Type.Boolean()),
  /** `22:00-07:00`, optionally followed by a time zone. */
  quiet: Type.Optional(Type.String()),
  digestSec: Type.Optional(Type.Number()),
});

export type Notify = Static<typeof Notify>;

/** Credentials for an image registry: user and password (or token), or both as Base64 of USER:PASSWORD. */
export const RegistryAuth = Type.Object({
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
});

/** Credentials by host, each as a map or as a JSON string; or a JSON string with all of them. Values are unexpanded. */
export const RegistryAuths = Type.Union([
  Type.String(),
  Type.Record(Type.String(), Type.Union([Type.String(), RegistryAuth])),
]);
export type RegistryAuths = Static<typeof RegistryAuths>;

/** A mail server; values are unexpanded. */
export const Smtp = Type.Object({
  host: Type.Optional(Type.String()),
  /** A number, or an expression. */
  port: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  /** Accept a certificate that is not signed by a trusted authority. */
  skipTLSVerify: Type.Optional(Type.Boolean()),
  /** Whether encryption is required; default: only for a login on another machine. */
  requireTLS: Type.Optional(Type.Boolean()),
});
export type Smtp = Static<typeof Smtp>;

/** A mail of a run; values are unexpanded. */
export const MailTarget = Type.Object({
  from: Type.Optional(Type.String()),
  to: Type.Array(Type.String()),
  /** Prefix of the subject. */
  prefix: Type.Optional(Type.String()),
  attachLogs: Type.Optional(Type.Boolean()),
});
export type MailTarget = Static<typeof MailTarget>;

/** Where traces of runs are exported to; values are unexpanded. */
export const Otel = Type.Object({
  enabled: Type.Optional(Type.Boolean()),
  endpoint: Type.Optional(Type.String()),
  headers: TextMap,
  insecure: Type.Optional(Type.Boolean()),
  /** Timeout of one request; default: 30. */
  timeoutSec: Type.Optional(Type.Number()),
  /** Attributes of every span. */
  resource: TextMap,
});
export type Otel = Static<typeof Otel>;

/** Fields of the start dialog that a user can change. */
export const RunConfig = Type.Object({
  disableParamEdit: Type.Optional(Type.Boolean()),
  disableRunIdEdit: Type.Optional(Type.Boolean()),
});
export type RunConfig = Static<typeof RunConfig>;
