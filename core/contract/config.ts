import Type, { type Static } from 'typebox';
import { editableSettings, encryptions } from '../model/editable-settings.ts';
import { Diagnostic } from '../model/diagnostic.ts';
import { secretNamePattern } from '../base/ids.ts';
import { hash } from './dag-files.ts';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

const ValueText = Type.String({
  description: 'As in the configuration file; lists and maps as JSON. Empty: not set. Secrets: `********`',
});

/** A key of the configuration with its value. */
export const SettingView = Type.Object({
  key: Type.String({ description: 'Path of the key, such as `history.retentionDays`' }),
  value: ValueText,
  defaultValue: ValueText,
  source: literals(['default', 'file', 'variable', 'option'], {
    description: 'Where the value is set. Variables and options override the configuration file.',
  }),
  /** Of the variable or option. */
  name: Type.Optional(Type.String()),
  /** In the configuration file, from 1. */
  line: Type.Optional(Type.Integer()),
  editable: Type.Boolean({ description: 'Whether `config.set` can change it' }),
  needsRestart: Type.Boolean({ description: 'Whether hosts apply changes only after a restart' }),
  restartPending: Type.Boolean({
    description: 'Whether this host still uses another value until it is restarted',
  }),
});
export type SettingView = Static<typeof SettingView>;

/** The configuration of an installation. */
export const ConfigView = Type.Object({
  file: Type.String({ description: 'Absolute path of the configuration file, whether or not it exists' }),
  settings: Type.Array(SettingView, { description: 'All keys of the configuration' }),
});
export type ConfigView = Static<typeof ConfigView>;

const MailHost = Type.String({ maxLength: 255, description: 'Host name or address; empty: no mail server' });
const MailPort = Type.String({ maxLength: 100, description: 'Port, or an expression. Empty: 587' });
const MailUser = Type.String({
  maxLength: 1000,
  description: 'User name, or an expression. Empty: no login',
});
const Encryption = literals(encryptions, {
  description:
    '`auto`: required for a login on another machine. Port 465 uses TLS from the start, other ports STARTTLS',
});
const VerifyCertificate = Type.Boolean({ description: 'Reject certificates that are not trusted' });
const From = Type.String({ maxLength: 1000, description: 'Sender of emails about runs' });
const Password = Type.Optional(
  Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
    description:
      'New password, or an expression such as `${SMTP_PASSWORD}`. `null` removes it. Default: unchanged',
  }),
);

const mailFields = {
  host: MailHost,
  port: MailPort,
  username: MailUser,
  encryption: Encryption,
  verifyCertificate: VerifyCertificate,
  from: From,
};

/** The mail server in the base configuration. Its password is never returned. */
export const MailSettingsView = Type.Object({
  file: Type.String({ description: 'Absolute path of the base configuration' }),
  ...mailFields,
  hasPassword: Type.Boolean({ description: 'Whether a password is set' }),
  passwordExpression: Type.Optional(
    Type.String({ description: 'The password if it is a reference, such as `${SMTP_PASSWORD}`' }),
  ),
  locked: Type.Optional(
    Type.String({ description: 'Why the settings can only be changed in the base configuration' }),
  ),
});
export type MailSettingsView = Static<typeof MailSettingsView>;

/** The base configuration of all workflows. */
export const BaseConfigView = Type.Object({
  file: Type.String({ description: 'Absolute path' }),
  exists: Type.Boolean(),
  source: literals(['default', 'file', 'variable'], { description: 'Where the path is set' }),
  /** Of the variable. */
  name: Type.Optional(Type.String()),
  spec: Type.String({ description: 'Source; empty if the file does not exist' }),
  hash: hash('SHA-256 of the UTF-8 source, in hexadecimal'),
  diagnostics: Type.Array(Diagnostic),
});
export type BaseConfigView = Static<typeof BaseConfigView>;

export const configOperations = {
  'config.get': defineOperation({
    summary: 'Get all settings with their sources',
    method: 'GET',
    path: '/config',
    input: Type.Object({}),
    output: ConfigView,
    errors: ['invalid_config', 'home_unusable'],
    role: 'manager',
    label: 'see the settings of the installation',
  }),
  'config.set': defineOperation({
    summary: 'Change a setting in the configuration file',
    method: 'PUT',
    path: '/config/{key}',
    input: Type.Object({
      key: Type.Enum([...editableSettings], { description: 'Path of the key' }),
      value: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
        description:
          'New value, as in the configuration file. `null` removes it, so that the default applies',
      }),
    }),
    output: ConfigView,
    errors: ['invalid_config', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change a setting of the installation',
    audit: 'setting',
  }),
  'config.mail': defineOperation({
    summary: 'Get the mail server of the base configuration',
    method: 'GET',
    path: '/mail',
    input: Type.Object({}),
    output: MailSettingsView,
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see the mail server',
  }),
  'config.setMail': defineOperation({
    summary: 'Change the mail server in the base configuration',
    method: 'PUT',
    path: '/mail',
    input: Type.Object({ ...mailFields, password: Password }),
    output: MailSettingsView,
    errors: ['conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change the mail server',
    audit: 'mail-server',
  }),
  'config.testMail': defineOperation({
    summary: 'Send a test email with these settings, without saving them',
    method: 'POST',
    path: '/mail/test',
    input: Type.Object({
      ...mailFields,
      password: Password,
      to: Type.String({ minLength: 1, maxLength: 1000, description: 'Recipient' }),
    }),
    output: Type.Object({
      sent: Type.Boolean(),
      message: Type.String({ description: 'Response of the mail server, or why the email was not sent' }),
    }),
    errors: ['invalid_spec', 'home_unusable'],
    role: 'manager',
    label: 'send a test email',
    audit: 'mail-server',
  }),
  'config.base': defineOperation({
    summary: 'Get the source of the base configuration',
    method: 'GET',
    path: '/base-config',
    input: Type.Object({}),
    output: BaseConfigView,
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see the base configuration',
  }),
  'config.setBase': defineOperation({
    summary: 'Replace the source of the base configuration. A source with errors is rejected',
    method: 'PUT',
    path: '/base-config',
    input: Type.Object({
      spec: Type.String({ description: 'Complete new source, stored unchanged, at most 64 KiB' }),
      baseHash: Type.Optional(hash('`hash` of the edited source. Fails if the file has changed.')),
    }),
    output: BaseConfigView,
    errors: ['invalid_spec', 'conflict', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'change the base configuration',
    audit: 'base-config',
  }),
};

/** A secret that is stored or that a workflow names. The API never returns its value. */
export const SecretView = Type.Object({
  name: Type.String({ description: 'Name in the store, or the key at another provider' }),
  provider: Type.String(),
  changedAt: Type.Optional(Timestamp),
  changedBy: Type.Optional(Type.String({ description: 'Who stored the value' })),
  lastUsedAt: Type.Optional(Timestamp),
  lastUsedBy: Type.Optional(
    Type.String({ description: 'Workflow of the last run that used the secret, or `channel NAME`' }),
  ),
  usedBy: Type.Array(
    Type.Object({
      fileName: Type.String(),
      workflow: Type.String({ description: 'Workflow name' }),
      variable: Type.String({ description: 'Environment variable with the value' }),
      steps: Type.Array(Type.String(), { description: 'Steps and handlers that mention the variable' }),
    }),
    { description: 'Workflows that name the secret' },
  ),
  channels: Type.Array(Type.String(), { description: 'Notification channels that name the secret' }),
});
export type SecretView = Static<typeof SecretView>;

/** A stored secret without its value. */
const StoredSecretView = Type.Object({
  name: Type.String(),
  changedAt: Timestamp,
  changedBy: Type.Optional(Type.String({ description: 'Who stored the value' })),
});

/** Whether this host can open the secret store. */
export const SecretStoreView = Type.Object({
  state: literals(['empty', 'open', 'locked'], { description: '`locked`: this host does not have the key' }),
  places: Type.Array(Type.String(), { description: 'Where the keys are' }),
  problem: Type.Optional(Type.String({ description: 'Why the store is locked, and what to do' })),
  isWeak: Type.Boolean({ description: 'Whether other programs of the user could read the key' }),
});
export type SecretStoreView = Static<typeof SecretStoreView>;

const name = Type.String({ pattern: secretNamePattern, description: 'Name of the secret' });

export const secretOperations = {
  'secrets.list': defineOperation({
    summary: 'List secrets by name (without values)',
    method: 'GET',
    path: '/secrets',
    input: Type.Object({}),
    output: Type.Object({ secrets: Type.Array(SecretView), store: SecretStoreView }),
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see secrets',
  }),
  'secrets.set': defineOperation({
    summary: 'Store a secret or replace its value',
    method: 'PUT',
    path: '/secrets/{name}',
    input: Type.Object({
      name,
      value: Type.String({ minLength: 1, maxLength: 65_536, description: 'Never returned' }),
    }),
    output: Type.Object({
      ...StoredSecretView.properties,
      isNew: Type.Boolean({ description: '`false`: a value was replaced' }),
      keyPlace: Type.Optional(
        Type.String({ description: 'Where the key of the store is, when this was the first secret' }),
      ),
    }),
    errors: ['unavailable', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'store a secret',
    audit: 'resource',
  }),
  'secrets.delete': defineOperation({
    summary: 'Delete a stored secret',
    method: 'DELETE',
    path: '/secrets/{name}',
    input: Type.Object({ name }),
    output: StoredSecretView,
    errors: ['not_found', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'delete a secret',
    audit: 'resource',
  }),
};
