import published from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { WebhookEventView } from '../contract/webhook-views.ts';
import {
  toAccountObject,
  unknownAccount,
  accountId,
  toEnterpriseObject,
  toInstallationObject,
  toOrganizationObject,
  toRepositoryObject,
  localEnterprise,
  localOrganization,
  localRepository,
} from '../store/webhook-events/repository.ts';
import completions from './examples/completions.json' with { type: 'json' };

/** Additions and changes that make an example valid against the published schema of its event. */
export interface Completion {
  readonly event: string;
  /** Values of `action` that it applies to; empty for an event without actions. */
  readonly actions: readonly string[];
  readonly changes: readonly ExampleChange[];
}

/** Sets a value, or removes it if there is none. */
export interface ExampleChange {
  /** Property names and array indexes, outermost first. */
  readonly path: readonly (string | number)[];
  readonly value?: JsonValue;
}

/**
 * Completes an example according to the published schema of its event. Published examples are older than some
 * properties, and generated ones have empty values. `test/programs/complete-webhook-examples.ts` generates the table.
 */
function completeExample(event: string, payload: JsonObject): JsonObject {
  const action = payload['action'];
  const found = (completions as readonly Completion[]).find(
    (one) =>
      one.event === event &&
      (typeof action === 'string' ? one.actions.includes(action) : one.actions.length === 0),
  );
  const completed = structuredClone(payload);
  for (const change of found?.changes ?? []) applyChange(completed, change);
  return completed;
}

function applyChange(payload: JsonObject, { path, value }: ExampleChange): void {
  const last = path.at(-1)!;
  let parent: Record<string | number, JsonValue> = payload;
  for (const part of path.slice(0, -1)) parent = parent[part] as Record<string | number, JsonValue>;
  if (value === undefined) delete parent[last];
  else parent[last] = structuredClone(value);
}

interface PublishedExamples {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}

/** Real payloads by published event names. The build retains the shortest of each action. */
const publishedExamples = published as unknown as readonly PublishedExamples[];

/** An example payload of an event. */
export interface ExamplePayload {
  readonly payload: JsonObject;
  /**
   * Whether it is based on a real payload, except for the repository and organization; otherwise it is generated from
   * the catalog.
   */
  readonly isReal: boolean;
}

/**
 * Returns an example of an event, with this action or else the one that the catalog describes: the shortest real
 * payload, or a generated one.
 */
export function findExample(event: WebhookEventView, action: string | undefined): ExamplePayload {
  const { payload, isReal } = findRawExample(event, action);
  return { payload: completeExample(event.name, payload), isReal };
}

/** Returns the example without the additions for the published schema. */
export function findRawExample(event: WebhookEventView, action: string | undefined): ExamplePayload {
  const names = [event.name, ...(event.aliases ?? [])];
  const real = publishedExamples
    .filter(({ name }) => names.includes(name))
    .flatMap(({ examples }) => examples);
  const withThis = (requested: string | undefined): readonly JsonObject[] =>
    real.filter((one) => requested === undefined || one['action'] === requested);
  const usual = withThis(action ?? event.describedAction);
  const found = findShortest(usual.length > 0 ? usual : withThis(action));
  if (found !== undefined) return { payload: localizeExample(found, event), isReal: true };
  const near = findShortest(real) ?? generatePayload(event);
  return { payload: localizeExample(withAction(near, action ?? firstAction(event)), event), isReal: false };
}

/**
 * Moves an example to the repository and organization of this home, because webhooks receive only events of their own
 * repository and organization. The installation of an app differs for each app and is not set here.
 */
function localizeExample(payload: JsonObject, { always }: WebhookEventView): JsonObject {
  const moved = Object.entries(payload).flatMap(([name, value]): [string, JsonValue][] => {
    if (name === 'installation' && !always.includes(name)) return [];
    if (!isObject(value)) return [[name, value]];
    return [
      [name, name === 'sponsorship' ? localizeSponsorship(value) : { ...value, ...localScopes.get(name) }],
    ];
  });
  return Object.fromEntries(moved);
}

/** Moves a sponsorship to this home, because webhooks of sponsored accounts receive only their own sponsorships. */
const localizeSponsorship = (sponsorship: JsonObject): JsonObject => ({
  ...sponsorship,
  sponsorable: toAccountObject(localOrganization, accountId(localOrganization), 'Organization'),
});

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findShortest(payloads: readonly JsonObject[]): JsonObject | undefined {
  const usual = payloads.filter(isBranchPush);
  let shortest: { readonly payload: JsonObject; readonly length: number } | undefined;
  for (const payload of usual.length > 0 ? usual : payloads) {
    const { length } = JSON.stringify(payload);
    if (shortest === undefined || length < shortest.length) shortest = { payload, length };
  }
  return shortest?.payload;
}

/** Whether a push adds commits to a branch, which is what most push listeners expect. */
const isBranchPush = ({ ref, deleted }: JsonObject): boolean =>
  deleted !== true && !(typeof ref === 'string' && ref.startsWith('refs/tags/'));

const firstAction = ({ actions, describedAction }: WebhookEventView): string | undefined =>
  describedAction ?? (actions === 'any' ? undefined : actions[0]);

const withAction = (payload: JsonObject, action: string | undefined): JsonObject =>
  action === undefined ? payload : { ...payload, action };

const commonValues: Readonly<Record<WebhookEventView['always'][number], JsonObject>> = {
  sender: unknownAccount,
  repository: toRepositoryObject(localRepository),
  installation: toInstallationObject(1),
  organization: toOrganizationObject(localOrganization),
  enterprise: toEnterpriseObject(localEnterprise),
};

/** Repositories and organizations of examples, whose names decide which hooks receive the event. */
const localScopes: ReadonlyMap<string, JsonObject> = new Map(
  (['repository', 'organization', 'enterprise'] as const).map((name) => [name, commonValues[name]]),
);

/** Generates a payload with all mandatory properties and empty values. */
function generatePayload({ properties, always }: WebhookEventView): JsonObject {
  return {
    ...Object.fromEntries(
      properties
        .filter(({ optional }) => optional === undefined)
        .map(({ name, list, fields = [] }) => {
          const value = Object.fromEntries(fields.map((field) => [field, null]));
          return [name, list === undefined ? value : [value]];
        }),
    ),
    ...Object.fromEntries(always.map((name) => [name, commonValues[name]])),
  };
}
