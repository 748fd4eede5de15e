import { sshTable } from '../../model/executors/ssh.ts';
import type { Workflow } from '../../model/workflow/workflow.ts';
import type { Authored } from '../authored.ts';
import { readContainer } from '../container/read-container.ts';
import { readRegistryAuths } from '../container/registry-auths.ts';
import { readConfig } from '../executors/read-config.ts';
import { readConditions } from '../rules/conditions.ts';
import { readEnv } from '../rules/env.ts';
import { readNumber, readTimeout } from '../rules/numbers.ts';
import { checkOtel } from '../rules/otel.ts';
import { readDeclaredParams } from '../rules/params.ts';
import { readSchedule, readTimeZone } from '../rules/schedule.ts';
import { readSecrets } from '../rules/secrets.ts';
import { readShell } from '../rules/shell.ts';
import { checkSmtp } from '../rules/smtp.ts';
import { readWebhooks } from '../rules/webhooks.ts';
import { MAX_OUTPUT_BYTES } from '../limits.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, type SourceRef } from '../source/source-node.ts';
import { normalizeHandlers } from './normalize-handlers.ts';
import { normalizeSettings } from './normalize-settings.ts';

/** Fields with a default, which is applied after merging. */
type DefaultedField = 'type' | 'maxActiveRuns' | 'maxActiveSteps' | 'maxCleanUpTimeSec' | 'maxOutputSize';

/** Everything in a workflow except its name and steps: the fields that a base configuration can have, too. */
export type WorkflowFields = Omit<Workflow, 'name' | 'steps' | DefaultedField> &
  Partial<Pick<Workflow, DefaultedField>>;

/** Reads the fields of one document that matches the authored schema. Absent fields stay absent or empty. */
export function normalizeFields(authored: Authored, source: SourceRef, report: Report): WorkflowFields {
  const at = (key: keyof Authored): SourceRef => fieldOf(source, key);
  checkOtel(authored.otel, at('otel'), report);
  if (authored.smtp !== undefined) checkSmtp(at('smtp'), report);
  return {
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
    timezone: readTimeZone(authored.timezone, at('timezone'), report),
    ...normalizeSettings(authored, source),
  };
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
