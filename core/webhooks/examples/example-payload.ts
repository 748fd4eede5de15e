import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WebhookEventView } from '../../contract/webhooks/events.ts';
import { describeAccount, unknownAccount } from '../sources/account.ts';
import {
  accountId,
  describeEnterprise,
  describeInstallation,
  describeOrganization,
  describeRepository,
  localEnterprise,
  localOrganization,
  localRepository,
} from '../sources/repository.ts';
import { completeExample } from './complete-example.ts';
import { publishedExamples } from './published-examples.ts';

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
  const withThis = (wanted: string | undefined): readonly JsonObject[] =>
    real.filter((one) => wanted === undefined || one['action'] === wanted);
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
      [name, name === 'sponsorship' ? localizeSponsorship(value) : { ...value, ...ownPlaces.get(name) }],
    ];
  });
  return Object.fromEntries(moved);
}

/** Moves a sponsorship to this home, because webhooks of sponsored accounts receive only their own sponsorships. */
const localizeSponsorship = (sponsorship: JsonObject): JsonObject => ({
  ...sponsorship,
  sponsorable: describeAccount(localOrganization, accountId(localOrganization), 'Organization'),
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
  repository: describeRepository(localRepository),
  installation: describeInstallation(1),
  organization: describeOrganization(localOrganization),
  enterprise: describeEnterprise(localEnterprise),
};

/** Repositories and organizations of examples, whose names decide which hooks receive the event. */
const ownPlaces: ReadonlyMap<string, JsonObject> = new Map(
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
