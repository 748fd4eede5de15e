import type { Smtp } from '../../model/settings.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Authored, AuthoredMailTarget, AuthoredOtel } from '../authored.ts';
import { readDuration, readNumber } from '../rules/numbers.ts';
import { readTextMap } from '../rules/text-map.ts';
import { findPlace, placeOf, textOf, toValue, type Place } from '../source/source-node.ts';

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
export function normalizeSettings(authored: Authored, place: Place): Settings {
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
    workerSelector: readTextMap(place, 'workerSelector'),
    logDir: authored.logDir || undefined,
    histRetentionDays: readNumber(authored.histRetentionDays) || undefined,
    histRetentionRuns: readNumber(authored.histRetentionRuns) || undefined,
    mailOn: mailOn && { failure: mailOn.failure ?? false, success: mailOn.success ?? false },
    smtp: authored.smtp && readSmtp(placeOf(place, 'smtp')),
    errorMail: readMail(authored.errorMail),
    infoMail: readMail(authored.infoMail),
    otel: readOtel(authored.otel, placeOf(place, 'otel')),
    runConfig: authored.runConfig,
  };
}

function readSmtp(place: Place): Smtp[] {
  return place.node.kind === 'list'
    ? [...place.node.items.keys()].map((index) => readServer(placeOf(place, index)))
    : [readServer(place)];
}

function readServer(place: Place): Smtp {
  const read = (key: string): string | undefined => {
    const found = findPlace(place, key);
    return found && textOf(found.node);
  };
  const skip = findPlace(place, 'skipTLSVerify');
  const requires = findPlace(place, 'requireTLS');
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

function readOtel(otel: AuthoredOtel | undefined, place: Place): Workflow['otel'] {
  if (otel === undefined) return undefined;
  return {
    enabled: otel.enabled,
    endpoint: otel.endpoint,
    headers: readTextMap(place, 'headers') ?? {},
    insecure: otel.insecure,
    timeoutSec: readDuration(otel.timeout),
    resource: readTextMap(place, 'resource') ?? {},
  };
}
