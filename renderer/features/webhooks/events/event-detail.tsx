import type { WebhookEventView } from '../../../../core/contract/webhooks/events.ts';
import { Fact } from '../../../ui/layout/fact.tsx';
import { ScrollArea } from '../../../ui/layout/scroll-area.tsx';
import { InlineText } from '../../../ui/text/words.tsx';
import styles from './event-detail.module.css';
import { describePermission, describeRules } from './describe-event.ts';

/** One event of the catalog. */
export function EventDetail({ event }: { readonly event: WebhookEventView }) {
  const { name, aliases = [], described, describedAction, actions, availability, properties, facts } = event;
  return (
    <ScrollArea className={styles.detail} aria-label={`Event ${name}`}>
      <h2>{name}</h2>
      <p>
        {described}
        {describedAction !== undefined && (
          <>
            {' '}
            (<code>{describedAction}</code>)
          </>
        )}
      </p>
      <dl className={styles.facts}>
        {aliases.length > 0 && <Fact name="Aliases">{aliases.join(', ')}</Fact>}
        <Fact name="Scopes">{availability.join(', ')}</Fact>
        <Fact name="App permission">{describePermission(event)}</Fact>
        <Fact name="Actions">
          {actions === 'any' ? 'any' : actions.length === 0 ? 'none' : <Codes names={actions} />}
        </Fact>
        <Fact name="Always includes">
          <Codes names={event.always} />
        </Fact>
        <Fact name="May include">
          <Codes names={event.sometimes} />
        </Fact>
        <Fact name="Event fields">
          {properties.length === 0 ? (
            'none'
          ) : (
            <Codes
              names={properties.map(({ name: property, optional }) => `${property}${optional ? '?' : ''}`)}
            />
          )}
        </Fact>
      </dl>
      <Sentences sentences={[...describeRules(event), ...facts]} />
    </ScrollArea>
  );
}

function Codes({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return 'none';
  return (
    <span className={styles.codes}>
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </span>
  );
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className={styles.sentences} aria-label="Notes">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <InlineText text={sentence} />
        </li>
      ))}
    </ul>
  );
}
