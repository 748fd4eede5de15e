import type { Step } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { Authored } from '../authored.ts';
import type { Report } from '../source/report.ts';
import { findPlace, isIncomplete, placeOf, type Place } from '../source/source-node.ts';
import { readConditions } from '../rules/conditions.ts';
import { rejectCycles } from '../rules/cycles.ts';
import { wireSteps } from '../rules/dependencies.ts';
import { readEnv } from '../rules/env.ts';
import { nameSteps } from '../rules/names.ts';
import { readTimeout } from '../rules/numbers.ts';
import { readDeclaredParams } from '../rules/params.ts';
import { readSchedule } from '../rules/schedule.ts';
import { readSecrets } from '../rules/secrets.ts';
import { readShell } from '../rules/shell.ts';
import { normalizeHandlers } from './normalize-handlers.ts';
import { normalizeSettings } from './normalize-settings.ts';
import { normalizeStep } from './normalize-step.ts';
import { draftSteps } from './step-draft.ts';

const DEFAULT_CLEAN_UP_SEC = 5;
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/**
 * Expands, defaults and wires one document that fits the authored schema.
 * @param authored the plain value of `place`
 * @param name its own name, or the one that takes its place
 * @returns a workflow; without use when `report` got an error on the way
 */
export function normalizeWorkflow(authored: Authored, name: string, place: Place, report: Report): Workflow {
  const type = authored.type ?? 'chain';
  const at = (key: keyof Authored): Place => placeOf(place, key);
  return {
    name,
    group: authored.group,
    description: authored.description,
    type,
    tags: readTags(authored.tags),
    steps: normalizeSteps(authored.steps, type, place, report),
    handlers: normalizeHandlers(authored.handlerOn, at('handlerOn'), report),
    env: readEnv(findPlace(place, 'env'), report),
    dotenv: readPaths(authored.dotenv),
    secrets: readSecrets(authored.secrets, at('secrets'), report),
    ...readDeclaredParams(findPlace(place, 'params'), report),
    shell: readShell(findPlace(place, 'shell'), report),
    workingDir: authored.workingDir,
    preconditions: readConditions(authored.preconditions, at('preconditions'), report),
    timeoutSec: readTimeout(authored.timeout),
    maxActiveRuns: authored.maxActiveRuns || 1,
    maxActiveSteps: authored.maxActiveSteps ?? 0,
    maxCleanUpTimeSec: Number(authored.maxCleanUpTimeSec ?? DEFAULT_CLEAN_UP_SEC),
    maxOutputSize: authored.maxOutputSize || DEFAULT_OUTPUT_BYTES,
    schedule: readSchedule(authored.schedule, at('schedule'), report),
    ...normalizeSettings(authored, place),
  };
}

function normalizeSteps(
  steps: Authored['steps'],
  type: Workflow['type'],
  root: Place,
  report: Report,
): Step[] {
  const place = placeOf(root, 'steps');
  const errorsBefore = report.errorCount;
  const drafts = draftSteps(steps, place, report);
  if (drafts.length === 0 && report.errorCount === errorsBefore && !isIncomplete(root)) {
    report.error(place, 'The workflow has no steps. Add "steps:" with at least one, such as "- echo hello".');
  }
  const names = nameSteps(drafts, report);
  const depends = wireSteps(type, drafts, names, report);
  if (new Set(names).size === names.length) rejectCycles(drafts, names, depends, report);
  return drafts.flatMap((draft, index) => normalizeStep(draft, names[index]!, depends[index]!, report) ?? []);
}

/** One path or several; an empty one is none. */
function readPaths(paths: string | string[] | undefined): string[] | undefined {
  return paths === undefined ? undefined : [paths].flat().filter((path) => path.trim() !== '');
}

/** A list, or words separated by commas; trimmed, in lower case, without repeats. */
function readTags(tags: Authored['tags']): string[] {
  if (tags === undefined) return [];
  const words = typeof tags === 'string' ? tags.split(',') : tags.map(String);
  return [...new Set(words.map((word) => word.trim().toLowerCase()).filter((word) => word !== ''))];
}
