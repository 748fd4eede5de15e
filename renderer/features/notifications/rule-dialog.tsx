import { Check, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { RuleView } from '../../../core/contract/notifications.ts';
import { notificationEventNames } from '../../../core/model/notification.ts';
import { useChannels, useNotificationMutation } from '../../api/notification-queries.ts';
import { Checkbox, Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { EditConflictNotice } from '../webhooks/secret-field.tsx';
import styles from './notifications.module.css';

/** Labels of the events. */
export const eventLabels: Readonly<Record<RuleView['events'][number], string>> = {
  failed: 'Failed',
  recovered: 'Recovered',
  late: 'Late',
  long: 'Runs too long',
  waiting: 'Waits for approval',
  missing: 'Did not start',
};

type Selection = 'all' | keyof RuleView['workflows'];

const selections = [
  { value: 'all', label: 'All workflows' },
  { value: 'names', label: 'Workflows by name' },
  { value: 'tags', label: 'Workflows by tag' },
  { value: 'groups', label: 'Workflows by group' },
  { value: 'folders', label: 'Workflows by folder' },
] as const satisfies readonly { value: Selection; label: string }[];

const selectionHelp: Readonly<
  Record<Exclude<Selection, 'all'>, { readonly label: string; readonly help: string }>
> = {
  names: { label: 'Names', help: 'Separated by commas. * matches any characters.' },
  tags: { label: 'Tags', help: 'Separated by commas. Any of them matches.' },
  groups: { label: 'Groups', help: 'Separated by commas.' },
  folders: { label: 'Folders', help: 'Separated by commas, with their subfolders.' },
};

const digests = [
  { value: '0', label: 'Off' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '14400', label: '4 hours' },
  { value: '86400', label: '1 day' },
] as const;

/** Form state of a rule. */
interface RuleForm {
  readonly name: string;
  readonly selection: Selection;
  /** Separated by commas. */
  readonly selected: string;
  readonly events: RuleView['events'];
  readonly channels: readonly string[];
  readonly after: string;
  readonly once: boolean;
  readonly quiet: string;
  readonly digest: string;
}

function toForm(rule: RuleView | undefined): RuleForm {
  const selection = selections.find(({ value }) => value !== 'all' && rule?.workflows[value] !== undefined);
  const field = selection?.value ?? 'all';
  return {
    name: rule?.name ?? '',
    selection: field,
    selected: field === 'all' ? '' : (rule?.workflows[field] ?? []).join(', '),
    events: rule?.events ?? ['failed', 'recovered'],
    channels: rule?.channels ?? [],
    after: String(rule?.after ?? 1),
    once: rule?.once ?? false,
    quiet: rule?.quiet ?? '',
    digest: String(rule?.digestSec ?? 0),
  };
}

const listNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** @param rule the rule to change: parts of its selection that the form does not show stay */
function toInput(form: RuleForm, rule?: RuleView) {
  const { selection, selected } = form;
  const before: RuleView['workflows'] = { ...rule?.workflows, [toForm(rule).selection]: undefined };
  return {
    name: form.name.trim(),
    workflows: selection === 'all' ? {} : { ...before, [selection]: listNames(selected) },
    events: notificationEventNames.filter((name) => form.events.includes(name)),
    channels: [...form.channels],
    after: Number(form.after),
    once: form.once,
    quiet: form.quiet.trim(),
    digestSec: Number(form.digest),
  };
}

interface RuleDialogProps {
  /** The rule to edit; absent to create one. */
  readonly rule?: RuleView;
  readonly onClose: () => void;
}

/** Creates or edits a rule. If the engine rejects the request, the dialog says why. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const [form, setForm] = useState<RuleForm>(() => toForm(rule));
  const create = useNotificationMutation('rules.create');
  const update = useNotificationMutation('rules.update');
  const isNew = rule === undefined;
  const set = (change: Partial<RuleForm>): void => setForm({ ...form, ...change });
  const submit = (): void => {
    if (isNew) create.mutate(toInput(form), { onSuccess: onClose });
    else update.mutate({ ruleId: rule.id, ...toInput(form, rule) }, { onSuccess: onClose });
  };
  const isBlocked =
    form.name.trim() === '' ||
    form.events.length === 0 ||
    form.channels.length === 0 ||
    !(Number(form.after) >= 1) ||
    (form.selection !== 'all' && listNames(form.selected).length === 0);
  return (
    <FormDialog
      title={isNew ? 'New rule' : `Edit ${rule.name}`}
      submit={{
        label: isNew ? 'Create rule' : 'Save',
        icon: isNew ? Plus : Check,
        isPending: create.isPending || update.isPending,
        isBlocked,
      }}
      error={create.error ?? update.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {rule && <EditConflictNotice what="rule" updatedAt={rule.updatedAt} isSaving={update.isPending} />}
      <TextField
        label="Name"
        name="name"
        value={form.name}
        onChange={(name) => set({ name })}
        autoFocus
        isRequired
      />
      <WorkflowFields form={form} onChange={set} />
      <EventFields form={form} onChange={set} />
      <ChannelChoices chosen={form.channels} onChange={(channels) => set({ channels })} />
      <TimingFields form={form} onChange={set} />
    </FormDialog>
  );
}

interface PartProps {
  readonly form: RuleForm;
  readonly onChange: (change: Partial<RuleForm>) => void;
}

function WorkflowFields({ form: { selection, selected }, onChange }: PartProps) {
  return (
    <>
      <Select
        label="Workflows"
        isLabelled
        value={selection}
        choices={selections}
        onChange={(chosen) => onChange({ selection: chosen, selected: '' })}
      />
      {selection !== 'all' && (
        <TextField
          label={selectionHelp[selection].label}
          name="workflows"
          value={selected}
          onChange={(text) => onChange({ selected: text })}
          description={selectionHelp[selection].help}
          isRequired
        />
      )}
    </>
  );
}

function EventFields({ form: { events }, onChange }: PartProps) {
  return (
    <fieldset className={styles.group}>
      <legend>Events</legend>
      <div className={styles.grid}>
        {notificationEventNames.map((name) => (
          <Checkbox
            key={name}
            label={eventLabels[name]}
            isSelected={events.includes(name)}
            onChange={(isSelected) =>
              onChange({ events: isSelected ? [...events, name] : events.filter((other) => other !== name) })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ChannelChoicesProps {
  readonly chosen: readonly string[];
  readonly onChange: (channels: readonly string[]) => void;
}

function ChannelChoices({ chosen, onChange }: ChannelChoicesProps) {
  const known = useChannels().data?.map(({ name }) => name) ?? [];
  return (
    <fieldset className={styles.group}>
      <legend>Channels</legend>
      {known.length === 0 && <span className={styles.faint}>Create a channel first.</span>}
      <div className={styles.grid}>
        {[...new Set([...known, ...chosen])].map((name) => (
          <Checkbox
            key={name}
            label={name}
            isSelected={chosen.includes(name)}
            onChange={(isSelected) =>
              onChange(isSelected ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function TimingFields({ form, onChange }: PartProps) {
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label="Failures in a row"
          name="after"
          type="number"
          limits={{ min: 1, max: 100, step: 1 }}
          value={form.after}
          onChange={(after) => onChange({ after })}
          description="Before the first notification"
        />
        <Select
          label="Digest"
          isLabelled
          value={form.digest}
          choices={
            digests.some(({ value }) => value === form.digest)
              ? digests
              : [...digests, { value: form.digest, label: `${form.digest} seconds` }]
          }
          onChange={(digest) => onChange({ digest })}
          description="Collect and send as one"
        />
      </div>
      <TextField
        label="Quiet hours"
        name="quiet"
        value={form.quiet}
        onChange={(quiet) => onChange({ quiet })}
        description="Such as 22:00-07:00 Europe/Berlin. Sent at their end."
      />
      <Checkbox
        label="Only the first of several failures in a row"
        isSelected={form.once}
        onChange={(once) => onChange({ once })}
      />
    </>
  );
}

/** Confirms deleting a rule. */
export function DeleteRuleDialog({
  rule,
  onClose,
}: {
  readonly rule: RuleView;
  readonly onClose: () => void;
}) {
  const remove = useNotificationMutation('rules.delete');
  return (
    <FormDialog
      title={`Delete ${rule.name}?`}
      submit={{ label: 'Delete rule', icon: Trash2, isDanger: true, isPending: remove.isPending }}
      error={remove.error}
      onSubmit={() => remove.mutate({ ruleId: rule.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{rule.channels.join(', ')} will not be notified by this rule any more. The channels stay.</p>
    </FormDialog>
  );
}
