import { Ajv2020 } from 'ajv/dist/2020.js';
import { findEvent } from '../../../../core/webhooks/catalog/catalog.ts';
import { follow, publishedDocument, publishedPayloads } from '../catalog/published-document.ts';

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    email: /^\S+@\S+$/,
    'uri-template': true,
    'repo.nwo': true,
    int64: true,
  },
});
ajv.addSchema(publishedDocument, 'published');

/** The schema of an event, which may be called otherwise where it was published, and of its action. */
function findSchema(event: string, action: unknown): string {
  const { aliases = [] } = findEvent(event)!;
  const found = publishedPayloads.filter(({ event: name }) => name === event || aliases.includes(name));
  const ofAction = found.find(({ schema }) => {
    const known = follow(follow(schema).properties?.['action'] ?? {}).enum;
    return known === undefined || known.includes(String(action));
  });
  const [one] = found.length === 1 ? found : [ofAction];
  if (one?.schema.$ref === undefined) throw new Error(`No schema of ${event} ${String(action)}`);
  return one.schema.$ref;
}

/** What of a payload does not fit the schema that was published for its event; empty when all does. */
export function findMisfits(event: string, payload: Readonly<Record<string, unknown>>): string[] {
  const validate = ajv.getSchema(`published${findSchema(event, payload['action'])}`)!;
  if (validate(payload) === true) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${event}${instancePath} ${message ?? 'does not fit'}`,
  );
}
