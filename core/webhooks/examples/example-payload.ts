import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WebhookEventView } from '../../contract/webhooks/events.ts';
import { describeAccount, ghost } from '../sources/people.ts';
import {
  accountId,
  describeEnterprise,
  describeInstallation,
  describeOrganization,
  describeRepository,
  ownEnterprise,
  ownOrganization,
  ownRepository,
} from '../sources/places.ts';
import { completeExample } from './complete-example.ts';
import { publishedExamples } from './published-examples.ts';

/** A payload that an event could have. */
export interface ExamplePayload {
  readonly payload: JsonObject;
  /** Somebody's real payload, but for the places in it; otherwise put together from what the catalog says of the event. */
  readonly isReal: boolean;
}

/**
 * An example of an event, with this action when one is asked for, else with the one that the catalog describes: the
 * shortest real one, or one that is made up.
 */
export function findExample(event: WebhookEventView, action: string | undefined): ExamplePayload {
  const { payload, isReal } = findRawExample(event, action);
  return { payload: completeExample(event.name, payload), isReal };
}

/** The same without what is added so that it fits the published schema. */
export function findRawExample(event: WebhookEventView, action: string | undefined): ExamplePayload {
  const names = [event.name, ...(event.aliases ?? [])];
  const real = publishedExamples
    .filter(({ name }) => names.includes(name))
    .flatMap(({ examples }) => examples);
  const withThis = (wanted: string | undefined): readonly JsonObject[] =>
    real.filter((one) => wanted === undefined || one['action'] === wanted);
  const usual = withThis(action ?? event.describedAction);
  const found = findShortest(usual.length > 0 ? usual : withThis(action));
  if (found !== undefined) return { payload: moveHere(found, event), isReal: true };
  const near = findShortest(real) ?? makeUp(event);
  return { payload: moveHere(withAction(near, action ?? firstAction(event)), event), isReal: false };
}

/**
 * Webhooks are told of what happens in their repository and their organization: those of an example are the ones of this
 * home. By which installation an app is told is another matter for each app.
 */
function moveHere(payload: JsonObject, { always }: WebhookEventView): JsonObject {
  const moved = Object.entries(payload).flatMap(([name, value]): [string, JsonValue][] => {
    if (name === 'installation' && !always.includes(name)) return [];
    if (!isObject(value)) return [[name, value]];
    return [[name, name === 'sponsorship' ? sponsorHere(value) : { ...value, ...ownPlaces.get(name) }]];
  });
  return Object.fromEntries(moved);
}

/** Webhooks of sponsored accounts are told of their own sponsorships. */
const sponsorHere = (sponsorship: JsonObject): JsonObject => ({
  ...sponsorship,
  sponsorable: describeAccount(ownOrganization, accountId(ownOrganization), 'Organization'),
});

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findShortest(payloads: readonly JsonObject[]): JsonObject | undefined {
  const usual = payloads.filter(isUsual);
  let shortest: { readonly payload: JsonObject; readonly length: number } | undefined;
  for (const payload of usual.length > 0 ? usual : payloads) {
    const { length } = JSON.stringify(payload);
    if (shortest === undefined || length < shortest.length) shortest = { payload, length };
  }
  return shortest?.payload;
}

/** Of pushes one that brings commits to a branch: what listens to pushes seldom means others. */
const isUsual = ({ ref, deleted }: JsonObject): boolean =>
  deleted !== true && !(typeof ref === 'string' && ref.startsWith('refs/tags/'));

const firstAction = ({ actions, describedAction }: WebhookEventView): string | undefined =>
  describedAction ?? (actions === 'any' ? undefined : actions[0]);

const withAction = (payload: JsonObject, action: string | undefined): JsonObject =>
  action === undefined ? payload : { ...payload, action };

const commonValues: Readonly<Record<WebhookEventView['always'][number], JsonObject>> = {
  sender: ghost,
  repository: describeRepository(ownRepository),
  installation: describeInstallation(1),
  organization: describeOrganization(ownOrganization),
  enterprise: describeEnterprise(ownEnterprise),
};

/** What an example has happened in, whose names decide who is told. */
const ownPlaces: ReadonlyMap<string, JsonObject> = new Map(
  (['repository', 'organization', 'enterprise'] as const).map((name) => [name, commonValues[name]]),
);

/** Each property that the event always has, with empty values. */
function makeUp({ properties, always }: WebhookEventView): JsonObject {
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
