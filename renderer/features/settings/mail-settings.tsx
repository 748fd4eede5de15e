import { PenLine, Save, Send } from 'lucide-react';
import { useState } from 'react';
import type { MailSettingsView } from '../../../core/contract/config.ts';
import type { OperationInput } from '../../../core/contract/operations.ts';
import { encryptions } from '../../../core/model/editable-settings.ts';
import { useMailSettings, useSetMail, useTestMail } from '../../api/config-queries.ts';
import { useMe } from '../../api/session-queries.ts';
import { paths } from '../../navigation/address.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Segmented, Switch } from '../../ui/choices.tsx';
import { FormDialog, FormErrorNotice } from '../../ui/dialog.tsx';
import { FieldErrorScope, PasswordField, TextField } from '../../ui/fields.tsx';
import { Notice, QueryState } from '../../ui/state.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { SettingSection } from './setting-row.tsx';
import styles from './settings.module.css';

const encryptionLabels = { auto: 'Automatic', required: 'Required', optional: 'If offered' } as const;

/** The mail server for emails about runs and for mail steps. */
export function MailSection() {
  const mail = useMailSettings();
  return (
    <SettingSection title="Mail server">
      <QueryState query={mail} what="The mail server">
        {(view) => <MailForm key={JSON.stringify(view)} view={view} />}
      </QueryState>
    </SettingSection>
  );
}

type MailInput = OperationInput<'config.setMail'>;

const toInput = ({
  host,
  port,
  username,
  encryption,
  verifyCertificate,
  from,
}: MailSettingsView): MailInput => ({
  host,
  port,
  username,
  encryption,
  verifyCertificate,
  from,
});

function MailForm({ view }: { readonly view: MailSettingsView }) {
  const [input, setInput] = useState(() => toInput(view));
  const [isTesting, setTesting] = useState(false);
  const { mutate, isPending, error } = useSetMail();
  const change = (changes: Partial<MailInput>): void => setInput({ ...input, ...changes });
  const isChanged = JSON.stringify(input) !== JSON.stringify(toInput(view));
  const isLocked = view.locked !== undefined;
  return (
    <>
      <form
        className={styles.mail}
        aria-label="Mail server"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && !isLocked)
            mutate(input, { onSuccess: () => showToast('info', 'Mail server saved.') });
        }}
      >
        {view.locked !== undefined && (
          <Notice
            tone="info"
            action={
              <LinkButton href={paths.baseConfig} icon={PenLine}>
                Edit base configuration
              </LinkButton>
            }
          >
            {view.locked}
          </Notice>
        )}
        <FieldErrorScope error={error}>
          <MailFields view={view} input={input} onChange={change} />
          <FormErrorNotice error={error} />
        </FieldErrorScope>
        <div className={styles.mailFoot}>
          <p className={styles.source} title={view.file}>
            Saved as smtp, errorMail and infoMail in {view.file.split(/[/\\]/).at(-1)}. Applies to new runs.
          </p>
          <Button icon={Send} isDisabled={input.host.trim() === ''} onPress={() => setTesting(true)}>
            Send a test mail…
          </Button>
          <Button
            variant="primary"
            type="submit"
            icon={Save}
            isPending={isPending}
            isDisabled={!isChanged || isLocked}
          >
            Save
          </Button>
        </div>
      </form>
      {/* Outside the form, whose submit handler would receive the dialog's event. */}
      {isTesting && <TestDialog input={input} onClose={() => setTesting(false)} />}
    </>
  );
}

interface FieldsProps {
  readonly view: MailSettingsView;
  readonly input: MailInput;
  readonly onChange: (changes: Partial<MailInput>) => void;
}

function MailFields({ view, input, onChange }: FieldsProps) {
  const passwordHelp =
    view.passwordExpression === undefined
      ? view.hasPassword
        ? 'Saved. Enter a new password to replace it.'
        : 'Or a reference, such as ${SMTP_PASSWORD}.'
      : `Saved: ${view.passwordExpression}`;
  return (
    <div className={styles.mailGrid}>
      <TextField
        label="Host"
        name="host"
        value={input.host}
        onChange={(host) => onChange({ host })}
        description="Such as smtp.example.com"
      />
      <TextField
        label="Port"
        name="port"
        value={input.port}
        onChange={(port) => onChange({ port })}
        description="Default: 587. 465: TLS from the start."
      />
      <TextField
        label="User name"
        name="username"
        value={input.username}
        onChange={(username) => onChange({ username })}
        description="Blank: no login"
      />
      <PasswordField
        label="Password"
        name="password"
        kind="new"
        value={input.password ?? ''}
        description={passwordHelp}
        onChange={(password) => onChange({ password: password === '' ? undefined : password })}
      />
      <TextField
        label="From"
        name="from"
        value={input.from}
        onChange={(from) => onChange({ from })}
        description="Default sender of emails about runs."
      />
      <EncryptionFields input={input} onChange={onChange} />
    </div>
  );
}

function EncryptionFields({ input, onChange }: Omit<FieldsProps, 'view'>) {
  return (
    <div className={styles.mailChoice}>
      <span className={styles.label}>Encryption</span>
      <Segmented
        label="Encryption"
        value={input.encryption}
        choices={encryptions.map((value) => ({ value, label: encryptionLabels[value] }))}
        onChange={(encryption) => onChange({ encryption })}
      />
      <Switch
        label="Verify certificate"
        isSelected={input.verifyCertificate}
        onChange={(verifyCertificate) => onChange({ verifyCertificate })}
      />
    </div>
  );
}

interface TestDialogProps {
  readonly input: MailInput;
  readonly onClose: () => void;
}

/** Sends a test email with the settings of the form, and shows the response of the server. */
function TestDialog({ input, onClose }: TestDialogProps) {
  const { mutate, data, error, isPending } = useTestMail();
  const name = useMe().data?.name ?? '';
  const [to, setTo] = useState(name.includes('@') ? name : input.from.replace(/^.*<|>.*$/g, ''));
  return (
    <FormDialog
      title="Send a test mail"
      submit={{
        label: data === undefined ? 'Send' : 'Send again',
        icon: Send,
        isPending,
        isBlocked: to.trim() === '',
      }}
      error={error}
      onSubmit={() => mutate({ ...input, to: to.trim() })}
      onClose={onClose}
    >
      <TextField
        label="To"
        name="to"
        value={to}
        onChange={setTo}
        description={`Through ${input.host}${input.port === '' ? '' : `:${input.port}`}, with the settings of this page.`}
        isRequired
        autoFocus
      />
      {data !== undefined && !isPending && (
        <div role="status" data-sent={data.sent || undefined}>
          <Notice tone={data.sent ? 'info' : 'error'}>
            <strong>{data.sent ? 'Test mail sent.' : 'Test mail not sent.'}</strong> {data.message}
          </Notice>
        </div>
      )}
    </FormDialog>
  );
}
