import type { ChannelView } from '../../../core/contract/notifications.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { Checkbox } from '../../ui/choices.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { MultilineField } from '../../ui/text-box.tsx';

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
}

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
      };

type TextFieldName = Exclude<keyof ChannelForm, 'kind' | 'name' | 'allowPrivate'>;

interface FieldInfo {
  readonly label: string;
  readonly help?: string;
  readonly isSecret?: true;
  readonly isOptional?: true;
}

const secret = (label: string, help?: string): FieldInfo => ({
  label,
  isSecret: true,
  ...(help !== undefined && { help }),
});

/** The fields of each service. */
const fieldsOf: Readonly<Record<ChannelKind, Partial<Record<TextFieldName, FieldInfo>>>> = {
  slack: { url: secret('Webhook URL', 'Incoming webhook of your Slack app') },
  teams: { url: secret('Workflow URL', 'Teams workflow "Send webhook alerts to a channel"') },
  discord: { url: secret('Webhook URL', 'Channel settings › Integrations › Webhooks') },
  mail: {
    to: { label: 'Recipients', help: 'Addresses, separated by commas' },
    from: { label: 'Sender', help: 'Default: the sender in Settings › Installation', isOptional: true },
  },
  telegram: {
    token: secret('Bot token', 'From @BotFather'),
    chatId: { label: 'Chat', help: 'A number, or @name of a channel' },
    server: { label: 'Server', help: 'Default: https://api.telegram.org', isOptional: true },
  },
  ntfy: {
    topic: secret('Topic', 'Anyone who knows the topic can read it'),
    server: { label: 'Server', help: 'Default: https://ntfy.sh', isOptional: true },
    token: { ...secret('Access token'), isOptional: true },
  },
  gotify: {
    server: { label: 'Server', help: 'Such as https://gotify.example.com' },
    token: secret('Application token'),
  },
  url: {
    url: secret('URL'),
    authorization: { ...secret('Authorization header', 'Such as Bearer TOKEN'), isOptional: true },
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

/** Whether required fields are missing. @param isNew secrets of an existing channel stay if left blank */
export const isIncomplete = (form: ChannelForm, isNew: boolean): boolean =>
  form.name.trim() === '' ||
  listFields(form.kind).some(
    ([field, { isOptional, isSecret }]) =>
      isOptional !== true && (isNew || isSecret !== true) && form[field].trim() === '',
  );

/** Returns the fields for the API. Secrets that were not typed are omitted. */
export function toChannelInput(form: ChannelForm): Omit<OperationInput<'channels.create'>, 'kind'> {
  const texts = listFields(form.kind).flatMap(([field, { isSecret }]): [string, string | string[]][] => {
    const text = form[field].trim();
    if (isSecret === true && text === '') return [];
    if (field === 'to') return [[field, text.split(/[\s,;]+/).filter((address) => address !== '')]];
    return [[field, text]];
  });
  return { name: form.name.trim(), allowPrivate: form.allowPrivate, ...Object.fromEntries(texts) };
}

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
      {fields.map(([field, { label, help, isSecret, isOptional }]) => {
        const common = {
          label,
          name: field,
          value: form[field],
          onChange: (value: string) => set(field, value),
          isRequired: isOptional !== true && (isNew || isSecret !== true),
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
        return isSecret === true ? (
          <PasswordField
            key={field}
            {...common}
            kind="new"
            description={isNew ? (help ?? 'Not shown again.') : 'Leave blank to keep the saved value.'}
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
