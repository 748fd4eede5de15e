import { BellPlus } from 'lucide-react';
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

/** Says that nobody is notified when a workflow fails, and sets it up. Shows nothing if somebody is. */
export function NotifyBanner({ workflow }: { readonly workflow: string }) {
  const coverage = useCoverage(workflow).data;
  const may = useCan('rules.create').reason;
  const [isOpen, setOpen] = useState(false);
  const [testing, setTesting] = useState<ChannelView>();
  const isUntold = coverage !== undefined && coverage.rules.length === 0 && !coverage.mail;
  return (
    <>
      {isUntold && (
        <Notice
          tone="warning"
          action={
            <Button size="small" icon={BellPlus} unavailable={may} onPress={() => setOpen(true)}>
              Set up…
            </Button>
          }
        >
          Nobody is notified when {workflow} fails.
        </Notice>
      )}
      {isOpen && <SetUpDialog workflow={workflow} onDone={setTesting} onClose={() => setOpen(false)} />}
      {testing && <TestDialog channel={testing} onClose={() => setTesting(undefined)} />}
    </>
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

/** Chooses or creates a channel, and creates the rule. */
function SetUpDialog({ workflow, onDone, onClose }: SetUpDialogProps) {
  const channels = useChannels().data ?? [];
  const [typed, setForm] = useState<ChannelForm>(() => toChannelForm());
  const [chosen, setChosen] = useState<string>();
  const [scope, setScope] = useState<'all' | 'one'>('all');
  const createChannel = useNotificationMutation('channels.create');
  const createRule = useNotificationMutation('rules.create');
  const target = chosen ?? channels[0]?.name ?? `${newPrefix}slack`;
  const isNew = target.startsWith(newPrefix);
  const form = { ...typed, name: isNew ? chooseName(typed.kind, channels) : target };
  const addRule = (channel: string, done: () => void): void =>
    createRule.mutate(
      {
        name: scope === 'all' ? `Failures to ${channel}` : `Failures of ${workflow} to ${channel}`,
        channels: [channel],
        ...(scope === 'one' && { workflows: { names: [workflow] } }),
      },
      { onSuccess: done },
    );
  const submit = (): void => {
    if (!isNew)
      return addRule(target, () => {
        onClose();
        showToast('info', `${target} is notified from now on.`);
      });
    // After an error of the rule, the channel exists already.
    const made = createChannel.data;
    const finish = (channel: ChannelView): void =>
      addRule(channel.name, () => {
        onClose();
        onDone(channel);
      });
    if (made !== undefined) return finish(made);
    createChannel.mutate({ kind: form.kind, ...toChannelInput(form) }, { onSuccess: finish });
  };
  return (
    <FormDialog
      title="Notify about failures"
      submit={{
        label: isNew ? 'Save and send a test' : 'Save',
        icon: BellPlus,
        isPending: createChannel.isPending || createRule.isPending,
        isBlocked: isNew && isIncomplete(form, true),
      }}
      error={createChannel.error ?? createRule.error}
      onSubmit={submit}
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
        onChange={(value) => {
          setChosen(value);
          if (value.startsWith(newPrefix))
            setForm({ ...typed, kind: value.slice(newPrefix.length) as ChannelKind });
        }}
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
