import type { Smtp } from '../../model/settings.ts';
import type { Workflow } from '../../model/workflow.ts';
import { sshTable } from '../../model/executor-config.ts';
import {
  handlerNames,
  type HandlerName,
  readOtelEndpoint,
  readMailPort,
} from '../../model/workflow-rules.ts';
import type { Authored, AuthoredMailTarget, AuthoredOtel, AuthoredHandlers } from '../authored.ts';
import { readDuration, readNumber, readTimeout } from '../rules/policies.ts';
import { readTextMap, readEnv, readSecrets } from '../rules/env.ts';
import { findField, getField, getText, toValue, type SourceRef, type Report } from '../source.ts';
import { readContainer, readRegistryAuths } from '../container.ts';
import { readConfig } from '../executors/read-config.ts';
import { readConditions } from '../rules/conditions.ts';
import { readExpect, readNotify } from '../rules/alerts.ts';
import { readDeclaredParams, warnAboutScheduledParams } from '../rules/params.ts';
import { readSchedule, readTimeZone } from '../rules/schedule.ts';
import { readShell } from '../rules/shell.ts';
import { readWebhooks } from '../rules/webhooks.ts';
import { MAX_OUTPUT_BYTES } from '../limits.ts';
import { normalizeStep } from './normalize-step.ts';
import { draftStep } from './step-draft.ts';
import { hasReference } from '../parse-template.ts';

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
function normalizeSettings(authored: Authored, source: SourceRef): Settings {
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

/** Fields with a default, which is applied after merging. */
type DefaultedField = 'type' | 'maxActiveRuns' | 'maxActiveSteps' | 'maxCleanUpTimeSec' | 'maxOutputSize';

/** Everything in a workflow except its name and steps: the fields that a base configuration can have, too. */
export type WorkflowFields = Omit<Workflow, 'name' | 'steps' | DefaultedField> &
  Partial<Pick<Workflow, DefaultedField>>;

/** Reads the fields of one document that matches the authored schema. Absent fields stay absent or empty. */
export function normalizeFields(authored: Authored, source: SourceRef, report: Report): WorkflowFields {
  const at = (key: keyof Authored): SourceRef => getField(source, key);
  checkOtel(authored.otel, at('otel'), report);
  if (authored.smtp !== undefined) checkSmtp(at('smtp'), report);
  const fields = {
    group: authored.group,
    description: authored.description,
    type: authored.type,
    tags: readTags(authored.tags),
    handlers: normalizeHandlers(authored.handlerOn, at('handlerOn'), report),
    env: readEnv(findField(source, 'env'), report),
    dotenv: readPaths(authored.dotenv),
    secretFiles: readPaths(authored.secretFiles),
    secrets: readSecrets(authored.secrets, at('secrets'), report),
    ...readDeclaredParams(findField(source, 'params'), report),
    shell: readShell(findField(source, 'shell'), report),
    container: authored.container && readContainer(at('container'), report),
    registryAuths:
      authored.registryAuths === undefined ? undefined : readRegistryAuths(at('registryAuths'), report),
    ssh: authored.ssh && readConfig(sshTable, at('ssh'), at('ssh'), report),
    workingDir: authored.workingDir,
    preconditions: readConditions(authored.preconditions, at('preconditions'), report),
    timeoutSec: readTimeout(authored.timeout),
    maxActiveRuns: readNumber(authored.maxActiveRuns) || undefined,
    maxActiveSteps: readNumber(authored.maxActiveSteps),
    maxCleanUpTimeSec: readNumber(authored.maxCleanUpTimeSec),
    maxOutputSize: readOutputSize(authored.maxOutputSize, at('maxOutputSize'), report),
    schedule: readSchedule(authored.schedule, at('schedule'), report),
    webhooks: readWebhooks(findField(at('on'), 'webhook'), report),
    notify: readNotify(authored.notify, at('notify'), report),
    timezone: readTimeZone(authored.timezone, at('timezone'), report),
    expect: readExpect(authored.expect, at('expect'), report),
    ...normalizeSettings(authored, source),
  };
  warnAboutScheduledParams(fields, at('schedule'), report);
  return fields;
}

function readOutputSize(
  value: Authored['maxOutputSize'],
  source: SourceRef,
  report: Report,
): number | undefined {
  const bytes = readNumber(value) || undefined;
  if (bytes !== undefined && bytes > MAX_OUTPUT_BYTES)
    report.error(
      source,
      `"maxOutputSize" must be at most ${MAX_OUTPUT_BYTES} (64 MiB), but is ${bytes}. Write larger results to a file and output the file name.`,
    );
  return bytes;
}

/** Reads one path or a list; ignores empty paths. */
function readPaths(paths: string | string[] | undefined): string[] | undefined {
  return paths === undefined ? undefined : [paths].flat().filter((path) => path.trim() !== '');
}

/** Reads a list or comma-separated tags; trims, lower-cases and deduplicates them. */
function readTags(tags: Authored['tags']): string[] {
  if (tags === undefined) return [];
  const words = typeof tags === 'string' ? tags.split(',') : tags.map(String);
  return [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ''))];
}

const stepNames: Readonly<Record<HandlerName, string>> = {
  init: 'onInit',
  success: 'onSuccess',
  failure: 'onFailure',
  abort: 'onAbort',
  exit: 'onExit',
};

/** Reads `handlerOn`. Each handler is a step with a fixed name and no dependencies. */
function normalizeHandlers(
  handlers: AuthoredHandlers | undefined,
  source: SourceRef,
  report: Report,
): Workflow['handlers'] {
  const normal: Workflow['handlers'] = {};
  for (const key of handlerNames) {
    const authored = handlers?.[key];
    if (authored === undefined) continue;
    const at = getField(source, key);
    for (const field of ['name', 'depends']) {
      const extra = findField(at, field);
      if (extra)
        report.warning(
          extra,
          `"${field}" has no effect on handlers: the name is always ${stepNames[key]}, and handlers have no dependencies. Remove it.`,
        );
    }
    const step = normalizeStep(draftStep(authored, at, 0, report), stepNames[key], [], report);
    if (step) normal[key] = step;
  }
  return normal;
}

/** Warns about an address that cannot receive traces. Runs work without tracing. */
function checkOtel(otel: AuthoredOtel | undefined, source: SourceRef, report: Report): void {
  if (otel?.endpoint === undefined || otel.enabled === false) return;
  const { endpoint, insecure = false } = otel;
  // References can only be checked when the run starts.
  if (endpoint.trim() === '' || hasReference(endpoint)) return;
  const found = readOtelEndpoint(endpoint, insecure);
  if ('fault' in found)
    report.warning(getField(source, 'endpoint'), `Cannot export traces to this endpoint: ${found.fault}.`);
  else if (insecure && endpoint.trim().toLowerCase().startsWith('https://')) {
    report.warning(
      getField(source, 'insecure'),
      '"insecure" has no effect for https:// endpoints. Remove it, or use http://.',
    );
  }
}

/**
 * Warns about mail server settings that cannot work; otherwise the problem would only appear when a run has failed and
 * the notification is not sent. Runs work without mail.
 */
function checkSmtp(source: SourceRef, report: Report): void {
  const servers =
    source.node.kind === 'list'
      ? [...source.node.items.keys()].map((index) => getField(source, index))
      : [source];
  for (const server of servers) {
    const port = findField(server, 'port');
    const text = port === undefined ? '' : getText(port.node).trim();
    // References can only be checked when the run starts.
    if (port === undefined || text === '' || hasReference(text) || readMailPort(text) !== undefined) continue;
    report.warning(
      port,
      `Invalid mail port "${text.slice(0, 40)}". Use a number from 1 to 65535, usually 587, or 465 for implicit TLS.`,
    );
  }
}
