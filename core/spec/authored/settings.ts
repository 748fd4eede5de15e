import Type, { type Static } from 'typebox';
import { closed, flag, scalar, text, textMap, TextOrList } from './values.ts';

/** Shapes of the settings of a workflow that are not about its steps. */

export const ScheduleObject = Type.Object(
  {
    start: Type.Optional(TextOrList('When to start.', '30 6 * * 1-5')),
    stop: Type.Optional(TextOrList('When to stop.', '0 18 * * *')),
    restart: Type.Optional(TextOrList('When to restart.', '0 0 * * *')),
  },
  closed,
);
export const Schedule = Type.Union([Type.String(), Type.Array(Type.String()), ScheduleObject], {
  description: 'Cron expressions of five fields: minute, hour, day, month, weekday.',
  examples: ['30 6 * * 1-5', { start: '0 8 * * *', stop: '0 18 * * *' }],
});
export type AuthoredSchedule = Static<typeof Schedule>;

export const SecretObject = Type.Object(
  {
    name: text('Variable that receives the value.', 'DB_PASSWORD'),
    provider: text('Where the value comes from: env or file.', 'env', 'file'),
    key: text('Name of the variable, or path of the file.', 'PROD_DB_PASSWORD', './secrets/db'),
    options: Type.Optional(textMap('Options of the provider.', { encoding: 'utf8' })),
  },
  closed,
);
export const Secrets = Type.Array(SecretObject, {
  description: 'Values that steps get as variables and that are masked wherever they are shown.',
  examples: [[{ name: 'DB_PASSWORD', provider: 'env', key: 'PROD_DB_PASSWORD' }]],
});
export type AuthoredSecrets = Static<typeof Secrets>;

export const MailOn = Type.Object(
  {
    failure: Type.Optional(flag('Mail when the run has failed.')),
    success: Type.Optional(flag('Mail when the run has succeeded.')),
  },
  { ...closed, description: 'When a mail is sent.', examples: [{ failure: true }] },
);
export const Smtp = Type.Object(
  {
    host: Type.Optional(text('Host of the mail server.', 'smtp.example.com')),
    port: Type.Optional(scalar('Port of the mail server.', 587)),
    username: Type.Optional(text('User to log in as.', 'robot')),
    password: Type.Optional(text('Password; better a reference to a secret.', '${SMTP_PASSWORD}')),
  },
  { ...closed, description: 'Mail server.', examples: [{ host: 'smtp.example.com', port: 587 }] },
);

export const MailTarget = Type.Object(
  {
    from: Type.Optional(text('Sender.', 'stepwright@example.com')),
    to: Type.Optional(TextOrList('Recipients.', 'ops@example.com', ['ops@example.com', 'dev@example.com'])),
    prefix: Type.Optional(text('Beginning of the subject.', '[etl]')),
    attachLogs: Type.Optional(flag('Attach the logs of the steps.')),
  },
  { ...closed, description: 'Mail that is sent.', examples: [{ to: 'ops@example.com', prefix: '[etl]' }] },
);
export type AuthoredMailTarget = Static<typeof MailTarget>;

export const Otel = Type.Object(
  {
    enabled: Type.Optional(flag('Whether runs are traced.')),
    endpoint: Type.Optional(text('Address of the collector.', 'localhost:4317')),
    headers: Type.Optional(textMap('Headers of the requests.', { Authorization: '${OTEL_TOKEN}' })),
    insecure: Type.Optional(flag('Send without TLS.')),
    timeout: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 0 }),
          Type.String({ pattern: '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h)){1,4}$|^[0-9]{1,9}$' }),
        ],
        {
          description: 'Longest time of a request: seconds, or a text with units.',
          examples: ['30s', '1m30s', 5],
        },
      ),
    ),
    resource: Type.Optional(textMap('Attributes of every span.', { 'service.name': 'etl' })),
  },
  { ...closed, description: 'Tracing.', examples: [{ enabled: true, endpoint: 'localhost:4317' }] },
);
export type AuthoredOtel = Static<typeof Otel>;

export const RunConfig = Type.Object(
  {
    disableParamEdit: Type.Optional(flag('Parameters may not be changed in the start dialog.')),
    disableRunIdEdit: Type.Optional(flag('The run id may not be chosen in the start dialog.')),
  },
  { ...closed, description: 'What the start dialog allows.', examples: [{ disableParamEdit: true }] },
);
