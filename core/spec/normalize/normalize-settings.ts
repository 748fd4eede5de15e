import type { Smtp } from '../../model/settings.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Authored, AuthoredMailTarget, AuthoredOtel } from '../authored.ts';
import { readDuration, readNumber } from '../rules/policies.ts';
import { readTextMap } from '../rules/env.ts';
import { findField, getField, getText, toValue, type SourceRef } from '../source.ts';

/** Settings of a workflow about storage and notifications, which do not affect what it does. */
type Settings = Pick<
  Workflow,
  | 'skipIfSuccessful'
  | 'catchup'
  | 'catchupWindowSec'
  | 'overlap'
  | 'skipBaseHandlers'
  | 'delaySec'
  | 'restartWaitSec'
  | 'queue'
  | 'workerSelector'
  | 'logDir'
  | 'histRetentionDays'
  | 'histRetentionRuns'
  | 'mailOn'
  | 'smtp'
  | 'errorMail'
  | 'infoMail'
  | 'otel'
  | 'runConfig'
>;

/** Reads the settings of a document that matches the authored schema. Absent fields stay absent. */
export function normalizeSettings(authored: Authored, source: SourceRef): Settings {
  const { mailOn } = authored;
  return {
    skipIfSuccessful: authored.skipIfSuccessful,
    catchup: authored.catchup,
    catchupWindowSec: readDuration(authored.catchupWindow),
    overlap: authored.overlap,
    skipBaseHandlers: authored.skipBaseHandlers,
    delaySec: readNumber(authored.delaySec),
    restartWaitSec: readNumber(authored.restartWaitSec),
    queue: authored.queue?.trim() || undefined,
    workerSelector: readTextMap(source, 'workerSelector'),
    logDir: authored.logDir || undefined,
    histRetentionDays: readNumber(authored.histRetentionDays) || undefined,
    histRetentionRuns: readNumber(authored.histRetentionRuns) || undefined,
    mailOn: mailOn && { failure: mailOn.failure ?? false, success: mailOn.success ?? false },
    smtp: authored.smtp && readSmtp(getField(source, 'smtp')),
    errorMail: readMail(authored.errorMail),
    infoMail: readMail(authored.infoMail),
    otel: readOtel(authored.otel, getField(source, 'otel')),
    runConfig: authored.runConfig,
  };
}

function readSmtp(source: SourceRef): Smtp[] {
  return source.node.kind === 'list'
    ? [...source.node.items.keys()].map((index) => readServer(getField(source, index)))
    : [readServer(source)];
}

function readServer(source: SourceRef): Smtp {
  const read = (key: string): string | undefined => {
    const field = findField(source, key);
    return field && getText(field.node);
  };
  const skip = findField(source, 'skipTLSVerify');
  const requires = findField(source, 'requireTLS');
  return {
    host: read('host'),
    port: read('port'),
    username: read('username'),
    password: read('password'),
    skipTLSVerify: skip && toValue(skip.node) === true,
    requireTLS: requires && toValue(requires.node) === true,
  };
}

function readMail(mail: AuthoredMailTarget | undefined): Workflow['errorMail'] {
  if (mail === undefined) return undefined;
  const to = [mail.to ?? []].flat().map((address) => address.trim());
  return { ...mail, to: to.filter((address) => address !== '') };
}

function readOtel(otel: AuthoredOtel | undefined, source: SourceRef): Workflow['otel'] {
  if (otel === undefined) return undefined;
  return {
    enabled: otel.enabled,
    endpoint: otel.endpoint,
    headers: readTextMap(source, 'headers') ?? {},
    insecure: otel.insecure,
    timeoutSec: readDuration(otel.timeout),
    resource: readTextMap(source, 'resource') ?? {},
  };
}
