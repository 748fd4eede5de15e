import Type, { type Static } from 'typebox';
import { catchups, overlaps } from '../../model/workflow/workflow.ts';
import { closed, flag, scalar, text, textMap, TextOrList } from './values.ts';

/** Shapes of the settings of a workflow that are not about its steps. */

export const ScheduleObject = Type.Object(
  {
    start: Type.Optional(
      TextOrList('Cron expressions of the times to start.', '30 6 * * 1-5', ['0 8 * * *', '0 20 * * *']),
    ),
    stop: Type.Optional(TextOrList('Cron expressions of the times to stop what runs.', '0 18 * * *')),
    restart: Type.Optional(
      TextOrList('Cron expressions of the times to stop what runs and start anew.', '0 0 * * *'),
    ),
  },
  closed,
);
export const Schedule = Type.Union([Type.String(), Type.Array(Type.String()), ScheduleObject], {
  description:
    'When to start: one or several cron expressions of five fields, minute hour day month weekday, or six with seconds first, or a word such as @daily. A map says when to stop and restart, too; "CRON_TZ=Europe/Berlin " may come first.',
  examples: [
    '30 6 * * 1-5',
    '@daily',
    'CRON_TZ=Europe/Berlin 0 6 * * *',
    { start: '0 8 * * *', stop: '0 18 * * *' },
  ],
});
export type AuthoredSchedule = Static<typeof Schedule>;

/** What becomes of scheduled times at which nothing could be started, and of those at which a run is active. */
export const Catchup = Type.Enum([...catchups], {
  description:
    'What becomes of starts that were missed while no scheduler ran, or the machine slept; what the configuration says when absent, which is skip without one.',
  enumDescriptions: [
    'Missed starts are left out.',
    'One run is started for all that was missed.',
    'Every missed start is made up for, the oldest first.',
  ],
  examples: ['last'],
});
export const Overlap = Type.Enum([...overlaps], {
  description: 'What becomes of a scheduled start while a run of the workflow is active; skip when absent.',
  enumDescriptions: [
    'It is left out.',
    'It waits in the queue.',
    'It runs beside the other one, up to "maxActiveRuns" where that is more than 1.',
  ],
  examples: ['queue'],
});
/** A duration with units up to days. */
export const durationPattern = '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h|d)){1,5}$|^[0-9]{1,9}$';
export const CatchupWindow = Type.Union(
  [Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })],
  {
    description:
      'How far back missed starts are made up for: a number of seconds, or a text with the units s, m, h and d; 24h when absent.',
    examples: ['6h', '7d', 3600],
  },
);

export const SecretObject = Type.Object(
  {
    name: text('Variable of the steps that receives the value.', 'DB_PASSWORD'),
    provider: text(
      'Where the value comes from: "env", a variable of the engine or of the workflow, "file", the text of a file, or "keychain", an entry of the keychain of the desktop app.',
      'env',
      'file',
      'keychain',
    ),
    key: text(
      'What to look up there: the name of the variable, the path of the file, or the name of the entry.',
      'PROD_DB_PASSWORD',
      './secrets/db',
    ),
    options: Type.Optional(textMap('Options of the provider, of which none has any.', { encoding: 'utf8' })),
  },
  closed,
);
export const Secrets = Type.Array(SecretObject, {
  description:
    'Values that are looked up when a run starts, reach its steps as variables, and are masked in logs, outputs and messages.',
  examples: [[{ name: 'DB_PASSWORD', provider: 'env', key: 'PROD_DB_PASSWORD' }]],
});
export type AuthoredSecrets = Static<typeof Secrets>;

export const MailOn = Type.Object(
  {
    failure: Type.Optional(
      flag('Send "errorMail" when a run has failed, wholly or in part; false when absent.'),
    ),
    success: Type.Optional(flag('Send "infoMail" when a run has succeeded; false when absent.')),
  },
  {
    ...closed,
    description: 'After which runs a mail is sent; after none when absent.',
    examples: [{ failure: true }],
  },
);
export const SmtpServer = Type.Object(
  {
    host: Type.Optional(text('Name or address of the mail server.', 'smtp.example.com')),
    port: Type.Optional(scalar('Port of the mail server.', 587, '${SMTP_PORT}')),
    username: Type.Optional(text('User to log in to the mail server as.', 'robot')),
    password: Type.Optional(
      text('Password to log in with; better a reference to one of the "secrets".', '${SMTP_PASSWORD}'),
    ),
    skipTLSVerify: Type.Optional(
      flag(
        'Take any certificate of the server, such as one it has signed itself; false when absent. Whoever is on the way can read the mail and the password then.',
      ),
    ),
    requireTLS: Type.Optional(
      flag(
        'Send nothing over a connection that is not encrypted. When absent: true with a "username", but for a server on this machine; false sends even the password readable for whoever is on the way.',
      ),
    ),
  },
  closed,
);
export const Smtp = Type.Union([SmtpServer, Type.Array(SmtpServer)], {
  description:
    'Mail server that mails are sent through, or a list of them: the next one is tried when one cannot be reached or refuses for the time being.',
  examples: [
    { host: 'smtp.example.com', port: 587 },
    [{ host: 'smtp.example.com' }, { host: 'backup.example.com', port: 465 }],
  ],
});

export const MailTarget = Type.Object(
  {
    from: Type.Optional(text('Address of the sender.', 'stepwright@example.com')),
    to: Type.Optional(
      TextOrList('Addresses of the recipients: one, or a list.', 'ops@example.com', [
        'ops@example.com',
        'dev@example.com',
      ]),
    ),
    prefix: Type.Optional(text('Text that the subject begins with.', '[etl]')),
    attachLogs: Type.Optional(flag('Attach the logs of the steps; false when absent.')),
  },
  { ...closed, description: 'Mail that is sent.', examples: [{ to: 'ops@example.com', prefix: '[etl]' }] },
);
export type AuthoredMailTarget = Static<typeof MailTarget>;

export const Otel = Type.Object(
  {
    enabled: Type.Optional(flag('Whether runs are traced; false when absent.')),
    endpoint: Type.Optional(
      text(
        'Address at which a collector receives OTLP over HTTP; without a path, /v1/traces is added. Absent: as the OTEL_EXPORTER_OTLP_ variables of the engine say.',
        'http://localhost:4318',
      ),
    ),
    headers: Type.Optional(
      textMap('Headers of the requests to the collector.', { Authorization: '${OTEL_TOKEN}' }),
    ),
    insecure: Type.Optional(
      flag('Take an address without http:// or https:// for http://; false when absent.'),
    ),
    timeout: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 0 }),
          Type.String({ pattern: '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h)){1,4}$|^[0-9]{1,9}$' }),
        ],
        {
          description:
            'Longest time for sending spans at once, with everything that is tried again: a number of seconds, or a text with the units ms, s, m and h; 30s when absent.',
          examples: ['30s', '1m30s', 5],
        },
      ),
    ),
    resource: Type.Optional(textMap('Attributes that every span bears.', { 'service.name': 'etl' })),
  },
  {
    ...closed,
    description: 'Traces of runs and steps by OpenTelemetry.',
    examples: [{ enabled: true, endpoint: 'http://localhost:4318' }],
  },
);
export type AuthoredOtel = Static<typeof Otel>;

export const RunConfig = Type.Object(
  {
    disableParamEdit: Type.Optional(
      flag('The dialog shows parameters and does not let them be changed; false when absent.'),
    ),
    disableRunIdEdit: Type.Optional(
      flag('The dialog does not let the id of the run be chosen; false when absent.'),
    ),
  },
  {
    ...closed,
    description: 'What the dialog that starts a run allows; the command line and the API allow everything.',
    examples: [{ disableParamEdit: true }],
  },
);
