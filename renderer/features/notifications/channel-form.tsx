import { Link } from 'wouter';
import { type ChannelSecretField, channelSecretFields } from '../../../core/model/notification.ts';
import type { ChannelView } from '../../../core/contract/notifications.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { useSecrets } from '../../api/config-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { MultilineField } from '../../ui/text-box.tsx';
import styles from './notifications.module.css';

interface ChannelSecretProps {
  readonly label: string;
  readonly field: ChannelSecretField;
  readonly value: string;
  /** Name of the stored secret, empty if none is chosen yet; absent if the value is entered. */
  readonly storedName: string | undefined;
  readonly isRequired: boolean;
  readonly description: string;
  readonly onEnter: (value: string) => void;
  readonly onChooseStored: (name: string | undefined) => void;
}

/** A secret of a channel: entered here, or the name of a stored secret. */
function ChannelSecret({ label, field, storedName, onChooseStored, ...entry }: ChannelSecretProps) {
  const { onEnter, ...texts } = entry;
  return (
    <div className={styles.secret}>
      {storedName === undefined ? (
        <PasswordField label={label} name={field} kind="new" onChange={onEnter} {...texts} />
      ) : (
        <StoredSecret label={label} name={storedName} onChange={onChooseStored} />
      )}
      <Checkbox
        label={`${label} from a stored secret`}
        isSelected={storedName !== undefined}
        onChange={(isStored) => onChooseStored(isStored ? '' : undefined)}
      />
    </div>
  );
}

interface StoredSecretProps {
  readonly label: string;
  readonly name: string;
  readonly onChange: (name: string) => void;
}

function StoredSecret({ label, name, onChange }: StoredSecretProps) {
  return (
    <QueryState query={useSecrets()} what="The secrets">
      {({ secrets }) => {
        const stored = secrets.filter(({ changedAt }) => changedAt !== undefined);
        const choices = stored.map((secret) => ({ value: secret.name, label: secret.name }));
        const isMissing = name !== '' && stored.every((secret) => secret.name !== name);
        if (choices.length === 0 && !isMissing)
          return (
            <Notice tone="info">
              No stored secrets yet. Add one under <Link href={paths.secrets}>Secrets</Link>.
            </Notice>
          );
        return (
          <Select
            label={label}
            isLabelled
            value={name}
            choices={isMissing ? [{ value: name, label: `${name} (not found)` }, ...choices] : choices}
            onChange={onChange}
            description="Stored secret, read when a notification is sent"
          />
        );
      }}
    </QueryState>
  );
}

export type ChannelKind = ChannelView['kind'];

/** Names of the services, in the order in which they are offered. */
export const kindLabels: Readonly<Record<ChannelKind, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  mail: 'Email',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  url: 'Webhook URL',
  desktop: 'Desktop app',
};

export const kindChoices = Object.entries(kindLabels).map(([value, label]) => ({
  value: value as ChannelKind,
  label,
}));

/** Form state of a channel. Secrets are empty unless they are typed. */
export interface ChannelForm {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly topic: string;
  readonly authorization: string;
  /** Separated by commas. */
  readonly to: string;
  readonly from: string;
  readonly server: string;
  readonly chatId: string;
  readonly template: string;
  readonly allowPrivate: boolean;
  /** Names of stored secrets by field; empty if none is chosen yet. Fields without a name are entered. */
  readonly stored: SecretNames;
  /** The names that the channel has. */
  readonly savedNames: SecretNames;
}

type SecretNames = Readonly<Partial<Record<ChannelSecretField, string>>>;

const empty: ChannelForm = {
  kind: 'slack',
  name: '',
  url: '',
  token: '',
  topic: '',
  authorization: '',
  to: '',
  from: '',
  server: '',
  chatId: '',
  template: '',
  allowPrivate: false,
  stored: {},
  savedNames: {},
};

export const toChannelForm = (channel?: ChannelView): ChannelForm =>
  channel === undefined
    ? empty
    : {
        ...empty,
        kind: channel.kind,
        name: channel.name,
        to: channel.to?.join(', ') ?? '',
        from: channel.from ?? '',
        server: channel.server ?? '',
        chatId: channel.chatId ?? '',
        template: channel.template ?? '',
        allowPrivate: channel.allowPrivate,
        stored: channel.secrets ?? {},
        savedNames: channel.secrets ?? {},
      };

type TextFieldName = Exclude<keyof ChannelForm, 'kind' | 'name' | 'allowPrivate' | 'stored' | 'savedNames'>;

interface FieldInfo {
  readonly label: string;
  readonly help?: string;
  readonly isOptional?: true;
}

/** The fields of each service. */
const fieldsOf: Readonly<Record<ChannelKind, Partial<Record<TextFieldName, FieldInfo>>>> = {
  slack: { url: { label: 'Webhook URL', help: 'Incoming webhook of your Slack app' } },
  teams: { url: { label: 'Workflow URL', help: 'Teams workflow "Send webhook alerts to a channel"' } },
  discord: { url: { label: 'Webhook URL', help: 'Channel settings › Integrations › Webhooks' } },
  mail: {
    to: { label: 'Recipients', help: 'Addresses, separated by commas' },
    from: { label: 'Sender', help: 'Default: the sender in Settings › Installation', isOptional: true },
  },
  telegram: {
    token: { label: 'Bot token', help: 'From @BotFather' },
    chatId: { label: 'Chat', help: 'A number, or @name of a channel' },
    server: { label: 'Server', help: 'Default: https://api.telegram.org', isOptional: true },
  },
  ntfy: {
    topic: { label: 'Topic', help: 'Anyone who knows the topic can read it' },
    server: { label: 'Server', help: 'Default: https://ntfy.sh', isOptional: true },
    token: { label: 'Access token', isOptional: true },
  },
  gotify: {
    server: { label: 'Server', help: 'Such as https://gotify.example.com' },
    token: { label: 'Application token' },
  },
  url: {
    url: { label: 'URL' },
    authorization: { label: 'Authorization header', help: 'Such as Bearer TOKEN', isOptional: true },
    template: {
      label: 'JSON template',
      help: 'Fields such as ${title}, ${text} and ${workflow}. Default: all fields.',
      isOptional: true,
    },
  },
  desktop: {},
};

const listFields = (kind: ChannelKind): [TextFieldName, FieldInfo][] =>
  Object.entries(fieldsOf[kind]) as [TextFieldName, FieldInfo][];

const isSecretField = (field: TextFieldName): field is ChannelSecretField =>
  (channelSecretFields as readonly string[]).includes(field);

/** Whether the channel has a value of its own, which stays if the field is left blank. */
const hasSavedValue = (form: ChannelForm, field: TextFieldName, isNew: boolean): boolean =>
  !isNew && isSecretField(field) && form.savedNames[field] === undefined;

/** Whether required fields are missing. */
export const isIncomplete = (form: ChannelForm, isNew: boolean): boolean =>
  form.name.trim() === '' ||
  listFields(form.kind).some(([field, { isOptional }]) => {
    const name = isSecretField(field) ? form.stored[field] : undefined;
    if (name !== undefined) return name === '';
    return isOptional !== true && !hasSavedValue(form, field, isNew) && form[field].trim() === '';
  });

/** Returns the fields for the API. Secrets that were not typed, and names that were not changed, are omitted. */
export function toChannelInput(form: ChannelForm): Omit<OperationInput<'channels.create'>, 'kind'> {
  const fields = listFields(form.kind).map(([field]) => field);
  const texts = fields.flatMap((field): [string, string | string[]][] => {
    const text = form[field].trim();
    if (isSecretField(field) && (text === '' || form.stored[field] !== undefined)) return [];
    if (field === 'to') return [[field, text.split(/[\s,;]+/).filter((address) => address !== '')]];
    return [[field, text]];
  });
  const names = fields.flatMap((field): [ChannelSecretField, string][] =>
    isSecretField(field) && form.stored[field] !== form.savedNames[field]
      ? [[field, form.stored[field] ?? '']]
      : [],
  );
  return {
    name: form.name.trim(),
    allowPrivate: form.allowPrivate,
    ...Object.fromEntries(texts),
    ...(names.length > 0 && { secrets: Object.fromEntries(names) }),
  };
}

const withName = (names: SecretNames, field: ChannelSecretField, name: string | undefined): SecretNames => {
  const { [field]: _before, ...others } = names;
  return name === undefined ? others : { ...others, [field]: name };
};

interface ChannelFieldsProps {
  readonly form: ChannelForm;
  readonly isNew: boolean;
  readonly onChange: (form: ChannelForm) => void;
}

/** The fields of the chosen service. */
export function ChannelFields({ form, isNew, onChange }: ChannelFieldsProps) {
  const set = (field: TextFieldName, value: string): void => onChange({ ...form, [field]: value });
  const fields = listFields(form.kind);
  return (
    <>
      {fields.map(([field, { label, help, isOptional }]) => {
        const common = {
          label,
          name: field,
          value: form[field],
          onChange: (value: string) => set(field, value),
          isRequired: isOptional !== true && !hasSavedValue(form, field, isNew),
        };
        if (field === 'template')
          return (
            <MultilineField
              key={field}
              label={label}
              name={field}
              text={form.template}
              rows={5}
              help={help ?? ''}
              onChange={(text) => set('template', text)}
            />
          );
        return isSecretField(field) ? (
          <ChannelSecret
            key={field}
            label={label}
            field={field}
            value={form[field]}
            storedName={form.stored[field]}
            isRequired={common.isRequired}
            description={
              hasSavedValue(form, field, isNew)
                ? 'Leave blank to keep the saved value.'
                : (help ?? 'Not shown again.')
            }
            onEnter={common.onChange}
            onChooseStored={(name) => onChange({ ...form, stored: withName(form.stored, field, name) })}
          />
        ) : (
          <TextField key={field} {...common} {...(help !== undefined && { description: help })} />
        );
      })}
      {form.kind !== 'mail' && form.kind !== 'desktop' && (
        <Checkbox
          label="Allow private network addresses"
          isSelected={form.allowPrivate}
          onChange={(allowPrivate) => onChange({ ...form, allowPrivate })}
        />
      )}
    </>
  );
}
