import { Bell, BellPlus } from 'lucide-react';
import { useState } from 'react';
import type { ChannelView } from '../../../core/contract/notifications.ts';
import { useChannels, useCoverage, useNotificationMutation } from '../../api/notification-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/choices.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { TestDialog } from './channel-dialog.tsx';
import {
  ChannelFields,
  type ChannelForm,
  type ChannelKind,
  isIncomplete,
  kindChoices,
  toChannelForm,
  toChannelInput,
} from './channel-form.tsx';

/** Says that no one is notified when a workflow fails, and sets it up. Shows nothing otherwise. */
export function NotifyBanner({ workflow }: { readonly workflow: string }) {
  const coverage = useCoverage(workflow).data;
  const may = useCan('rules.create').reason;
  const [isOpen, setOpen] = useState(false);
  const [testing, setTesting] = useState<ChannelView>();
  const isUncovered = coverage !== undefined && coverage.rules.length === 0 && !coverage.mail;
  return (
    <>
      {isUncovered && (
        <Notice
          tone="warning"
          action={
            <Button size="small" icon={BellPlus} unavailable={may} onPress={() => setOpen(true)}>
              Set up…
            </Button>
          }
        >
          No one is notified when {workflow} fails.
        </Notice>
      )}
      {isOpen && <SetUpDialog workflow={workflow} onDone={setTesting} onClose={() => setOpen(false)} />}
      {testing && <TestDialog channel={testing} onClose={() => setTesting(undefined)} />}
    </>
  );
}

/** Which channels are notified of the failures of a workflow, and by which rules. Shows nothing if there are none. */
export function FailureTargets({ workflow }: { readonly workflow: string }) {
  const rules = useCoverage(workflow).data?.rules ?? [];
  if (rules.length === 0) return null;
  const channels = [...new Set(rules.flatMap((rule) => rule.channels))];
  return (
    <span title={rules.map((rule) => `${rule.name}: ${rule.channels.join(', ')}`).join('\n')}>
      <Bell size={14} aria-hidden="true" />
      Failures go to {channels.join(', ')}
    </span>
  );
}

interface SetUpDialogProps {
  readonly workflow: string;
  /** Called with a new channel. */
  readonly onDone: (channel: ChannelView) => void;
  readonly onClose: () => void;
}

/** Returns a name for a channel of this kind that is not taken. */
function chooseName(kind: ChannelKind, channels: readonly ChannelView[]): string {
  const taken = new Set(channels.map(({ name }) => name));
  let name: string = kind;
  for (let number = 2; taken.has(name); number += 1) name = `${kind}-${number}`;
  return name;
}

const newPrefix = 'new ';

/** Returns a function that creates the rule, and the channel before if it is new. */
function useSetUp({ workflow, onDone, onClose }: SetUpDialogProps) {
  const createChannel = useNotificationMutation('channels.create');
  const createRule = useNotificationMutation('rules.create');
  const addRule = (channel: string, scope: Scope, done: () => void): void =>
    createRule.mutate(
      {
        name: scope === 'all' ? `Failures to ${channel}` : `Failures of ${workflow} to ${channel}`,
        channels: [channel],
        ...(scope === 'one' && { workflows: { names: [workflow] } }),
      },
      { onSuccess: done },
    );
  return {
    isPending: createChannel.isPending || createRule.isPending,
    error: createChannel.error ?? createRule.error,
    addExisting: (channel: string, scope: Scope): void =>
      addRule(channel, scope, () => {
        onClose();
        showToast('info', `${channel} is notified from now on.`);
      }),
    addNew: (form: ChannelForm, scope: Scope): void => {
      const finish = (channel: ChannelView): void =>
        addRule(channel.name, scope, () => {
          onClose();
          onDone(channel);
        });
      // After an error of the rule, the channel exists already.
      if (createChannel.data !== undefined) return finish(createChannel.data);
      createChannel.mutate({ kind: form.kind, ...toChannelInput(form) }, { onSuccess: finish });
    },
  };
}

type Scope = 'all' | 'one';

/** Chooses or creates a channel, and creates the rule. */
function SetUpDialog(props: SetUpDialogProps) {
  const { workflow, onClose } = props;
  const channels = useChannels().data ?? [];
  const setUp = useSetUp(props);
  const [typed, setForm] = useState<ChannelForm>(() => toChannelForm());
  const [chosen, setChosen] = useState<string>();
  const [scope, setScope] = useState<Scope>('all');
  const target = chosen ?? channels[0]?.name ?? `${newPrefix}slack`;
  const isNew = target.startsWith(newPrefix);
  const form = { ...typed, name: isNew ? chooseName(typed.kind, channels) : target };
  const choose = (value: string): void => {
    setChosen(value);
    if (value.startsWith(newPrefix))
      setForm({ ...typed, kind: value.slice(newPrefix.length) as ChannelKind });
  };
  return (
    <FormDialog
      title="Notify about failures"
      submit={{
        label: isNew ? 'Save and send a test' : 'Save',
        icon: BellPlus,
        isPending: setUp.isPending,
        isBlocked: isNew && isIncomplete(form, true),
      }}
      error={setUp.error}
      onSubmit={() => (isNew ? setUp.addNew(form, scope) : setUp.addExisting(target, scope))}
      onClose={onClose}
    >
      <Select
        label="Notify"
        isLabelled
        value={target}
        choices={[
          ...channels.map(({ name }) => ({ value: name, label: name })),
          ...kindChoices.map(({ value, label }) => ({
            value: `${newPrefix}${value}`,
            label: `New: ${label}`,
          })),
        ]}
        onChange={choose}
      />
      {isNew && <ChannelFields form={form} isNew onChange={setForm} />}
      <Select
        label="When"
        isLabelled
        value={scope}
        choices={[
          { value: 'all', label: 'Any workflow fails or recovers' },
          { value: 'one', label: `${workflow} fails or recovers` },
        ]}
        onChange={setScope}
      />
    </FormDialog>
  );
}
