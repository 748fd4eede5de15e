import Type, { type Static } from 'typebox';
import { catchupPolicies, overlapPolicies } from '../../model/workflow.ts';
import { closed, flag, scalar, text, textMap, TextOrList, wholeNumber } from './values.ts';

/** Schemas of the workflow settings that do not concern its steps. */

export const ScheduleObject = Type.Object(
  {
    start: Type.Optional(
      TextOrList('Cron expressions for starting a run.', '30 6 * * 1-5', ['0 8 * * *', '0 20 * * *']),
    ),
    stop: Type.Optional(TextOrList('Cron expressions for stopping the active run.', '0 18 * * *')),
    restart: Type.Optional(TextOrList('Cron expressions for restarting the active run.', '0 0 * * *')),
  },
  closed,
);
export const Schedule = Type.Union([Type.String(), Type.Array(Type.String()), ScheduleObject], {
  description: 'When to run: cron expressions with 5 or 6 fields, @daily, or a date with a time.',
  examples: [
    '30 6 * * 1-5',
    '@daily',
    '2026-12-01T14:00',
    'CRON_TZ=Europe/Berlin 0 6 * * *',
    { start: '0 8 * * *', stop: '0 18 * * *' },
  ],
});
export type AuthoredSchedule = Static<typeof Schedule>;

/** Handling of missed scheduled times, and of those during an active run. */
export const Catchup = Type.Enum([...catchupPolicies], {
  description: 'What to do about runs missed while the scheduler was off.',
  enumDescriptions: [
    'Skip missed runs.',
    'Start one run for all missed runs.',
    'Start every missed run, oldest first.',
  ],
  examples: ['last'],
});
export const Overlap = Type.Enum([...overlapPolicies], {
  description: 'If the previous run is still active: skip (default), queue, or run both.',
  enumDescriptions: ['Skip this run.', 'Add it to the queue.', 'Run both, up to "maxActiveRuns".'],
  examples: ['queue'],
});
/** A duration with units up to days. */
export const durationPattern = '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h|d)){1,5}$|^[0-9]{1,9}$';
export const CatchupWindow = Type.Union(
  [Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })],
  {
    description: 'How far back to look for missed runs. Default: 24h.',
    examples: ['6h', '7d', 3600],
  },
);

/** A multiple of the usual duration: `2x usual`. */
const usualPattern = '^ *[0-9]{1,3}(\\.[0-9]{1,2})? *x +usual *$';

const span = (description: string, ...examples: (string | number)[]) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })], {
    description,
    examples,
  });
export const ExpectObject = Type.Object(
  {
    by: Type.Optional(
      Type.String({
        pattern: '^([01]?[0-9]|2[0-3]):[0-5][0-9]$',
        description: 'Time of day by which a run must have succeeded, in the time zone of the workflow.',
        examples: ['06:30'],
      }),
    ),
    within: Type.Optional(
      span('Time within which a run must end, from its scheduled time or creation.', '20m'),
    ),
    longest: Type.Optional(
      Type.Union(
        [Type.Number({ minimum: 0 }), Type.String({ pattern: `${usualPattern}|${durationPattern}` })],
        {
          description:
            'Longest duration of a run, or a multiple of the usual one (needs five successful runs).',
          examples: ['2x usual', '45m'],
        },
      ),
    ),
    every: Type.Optional(span('Longest time without a successful run.', '1d')),
  },
  {
    ...closed,
    description: 'When runs count as late, long or missing.',
    examples: [{ by: '06:30', longest: '2x usual' }],
  },
);
export type AuthoredExpect = Static<typeof ExpectObject>;

export const SecretObject = Type.Object(
  {
    name: text('Environment variable that holds the value.', 'DB_PASSWORD'),
    provider: text('Source of the secret.', 'store', 'env', 'vault'),
    key: text(
      'Name of the secret, variable or file, or the command or path.',
      'PROD_DB_PASSWORD',
      './secrets/db',
    ),
    options: Type.Optional(textMap('Options of the providers command and vault.', { field: 'token' })),
  },
  closed,
);
export const Secrets = Type.Array(SecretObject, {
  description: 'Secrets loaded at run start, passed as variables and masked in logs.',
  examples: [[{ name: 'DB_PASSWORD', provider: 'env', key: 'PROD_DB_PASSWORD' }]],
});
export type AuthoredSecrets = Static<typeof Secrets>;

export const MailOn = Type.Object(
  {
    failure: Type.Optional(flag('Send "errorMail" when a run fails. Default: false.')),
    success: Type.Optional(flag('Send "infoMail" when a run succeeds. Default: false.')),
  },
  {
    ...closed,
    description: 'When to send email. Default: never.',
    examples: [{ failure: true }],
  },
);
const channels = (when: string) =>
  Type.Optional(TextOrList(`Channels to notify ${when}.`, 'ops-slack', ['ops-slack', 'on-call']));
export const NotifyObject = Type.Object(
  {
    failed: channels('when a run fails'),
    recovered: channels('when a run succeeds after a failure'),
    late: channels('when a run is late'),
    long: channels('when a run takes longer than expected'),
    waiting: channels('when a step waits for approval'),
    missing: channels('when a scheduled run did not start'),
    after: Type.Optional(wholeNumber('Failed runs in a row before the first message. Default: 1.', 2)),
    once: Type.Optional(flag('Send only the first message of failures in a row. Default: false.')),
    quiet: Type.Optional(
      text('Quiet hours. Messages are sent at their end.', '22:00-07:00', '22:00-07:00 Europe/Berlin'),
    ),
    digest: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: durationPattern })], {
        description: 'Collect messages for this long and send them as one. Default: 0 (off).',
        examples: ['1h', '1d'],
      }),
    ),
  },
  closed,
);
export const Notify = Type.Union([Type.String(), Type.Array(Type.String()), NotifyObject], {
  description: 'Notification channels: names for all events, or a map of events to channels.',
  examples: [
    'ops-slack',
    { failed: ['ops-slack', 'on-call'], recovered: 'ops-slack', after: 2 },
    { failed: 'team-mail', quiet: '22:00-07:00', digest: '1h' },
  ],
});
export type AuthoredNotify = Static<typeof Notify>;

export const SmtpServer = Type.Object(
  {
    host: Type.Optional(text('SMTP server host name or IP address.', 'smtp.example.com')),
    port: Type.Optional(scalar('SMTP server port.', 587, '${SMTP_PORT}')),
    username: Type.Optional(text('SMTP username.', 'robot')),
    password: Type.Optional(text('Password. Use a reference to a secret.', '${SMTP_PASSWORD}')),
    skipTLSVerify: Type.Optional(flag('Accept any server certificate. Insecure. Default: false.')),
    requireTLS: Type.Optional(flag('Require an encrypted connection. Default: true if "username" is set.')),
  },
  closed,
);
export const Smtp = Type.Union([SmtpServer, Type.Array(SmtpServer)], {
  description: 'SMTP server, or a list of servers tried in order.',
  examples: [
    { host: 'smtp.example.com', port: 587 },
    [{ host: 'smtp.example.com' }, { host: 'backup.example.com', port: 465 }],
  ],
});

export const MailTarget = Type.Object(
  {
    from: Type.Optional(text('Sender address.', 'stepwright@example.com')),
    to: Type.Optional(
      TextOrList('Recipient addresses.', 'ops@example.com', ['ops@example.com', 'dev@example.com']),
    ),
    prefix: Type.Optional(text('Subject prefix.', '[etl]')),
    attachLogs: Type.Optional(flag('Attach step logs. Default: false.')),
  },
  { ...closed, description: 'Email settings.', examples: [{ to: 'ops@example.com', prefix: '[etl]' }] },
);
export type AuthoredMailTarget = Static<typeof MailTarget>;

export const Otel = Type.Object(
  {
    enabled: Type.Optional(flag('Enable tracing. Default: false.')),
    endpoint: Type.Optional(
      text(
        'OTLP/HTTP collector URL. Default: the OTEL_EXPORTER_OTLP_ environment variables.',
        'http://localhost:4318',
      ),
    ),
    headers: Type.Optional(textMap('HTTP headers for the collector.', { Authorization: '${OTEL_TOKEN}' })),
    insecure: Type.Optional(flag('Use http:// if the endpoint has no scheme. Default: false.')),
    timeout: Type.Optional(
      Type.Union(
        [
          Type.Number({ minimum: 0 }),
          Type.String({ pattern: '^([0-9]{1,9}(\\.[0-9]{1,9})?(ms|s|m|h)){1,4}$|^[0-9]{1,9}$' }),
        ],
        {
          description: 'Export timeout, including retries. Default: 30s.',
          examples: ['30s', '1m30s', 5],
        },
      ),
    ),
    resource: Type.Optional(textMap('Resource attributes added to every span.', { 'service.name': 'etl' })),
  },
  {
    ...closed,
    description: 'OpenTelemetry traces for runs and steps.',
    examples: [{ enabled: true, endpoint: 'http://localhost:4318' }],
  },
);
export type AuthoredOtel = Static<typeof Otel>;

export const RunConfig = Type.Object(
  {
    disableParamEdit: Type.Optional(flag('Make parameters read-only in the run dialog. Default: false.')),
    disableRunIdEdit: Type.Optional(flag('Hide the run ID field in the run dialog. Default: false.')),
  },
  {
    ...closed,
    description: 'Run dialog options. The CLI and the API are not affected.',
    examples: [{ disableParamEdit: true }],
  },
);
