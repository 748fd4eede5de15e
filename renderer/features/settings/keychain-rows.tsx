import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDesktopChange, useDesktopQuery } from '../../api/desktop-queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/fields.tsx';
import { Notice } from '../../ui/state.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { SettingRow, SettingSection } from './setting-row.tsx';

/** Secrets in the system keychain for workflows; values can be set but not read. */
export function KeychainRows() {
  const keychain = useDesktopQuery('keychain.list').data;
  const [openDialog, setOpenDialog] = useState<{ readonly key: string; readonly what: 'set' | 'delete' }>();
  if (keychain === undefined) return null;
  const close = (): void => setOpenDialog(undefined);
  const add = (
    <Button
      size="small"
      icon={Plus}
      isDisabled={!keychain.available}
      onPress={() => setOpenDialog({ key: '', what: 'set' })}
    >
      Add secret
    </Button>
  );
  return (
    <SettingSection title="Keychain" action={add}>
      {!keychain.available && (
        <Notice tone="error">The system keychain is not available. Unlock it or sign in again.</Notice>
      )}
      {keychain.weak && (
        <Notice tone="warning">
          No system keychain found ({keychain.backend}). Other programs could read these secrets. Install
          GNOME Keyring or KWallet.
        </Notice>
      )}
      {keychain.entries.length === 0 && <NoSecrets />}
      {keychain.entries.map(({ key, changedAt }) => (
        <SettingRow
          key={key}
          label={key}
          help={
            <>
              Updated <RelativeTime iso={changedAt} />
            </>
          }
        >
          <span>
            <Button size="small" onPress={() => setOpenDialog({ key, what: 'set' })}>
              Replace
            </Button>{' '}
            <IconButton
              size="small"
              icon={Trash2}
              label={`Delete secret ${key}`}
              onPress={() => setOpenDialog({ key, what: 'delete' })}
            />
          </span>
        </SettingRow>
      ))}
      {openDialog?.what === 'set' && <SetDialog initialKey={openDialog.key} onClose={close} />}
      {openDialog?.what === 'delete' && <DeleteDialog name={openDialog.key} onClose={close} />}
    </SettingSection>
  );
}

const NoSecrets = () => (
  <SettingRow label="No secrets yet" help="Use provider: keychain in a workflow to read secrets.">
    {null}
  </SettingRow>
);

function SetDialog({ initialKey, onClose }: { readonly initialKey: string; readonly onClose: () => void }) {
  const [key, setKey] = useState(initialKey);
  const [value, setValue] = useState('');
  const change = useDesktopChange('keychain.set', 'keychain.list');
  const isFit = /^[A-Za-z0-9_.:/@-]{1,128}$/.test(key);
  return (
    <FormDialog
      title={initialKey === '' ? 'Add secret' : `Replace secret ${initialKey}`}
      submit={{
        label: 'Save',
        icon: KeyRound,
        isPending: change.isPending,
        isBlocked: !isFit || value === '',
      }}
      error={change.error}
      onSubmit={() => change.mutate({ key, value }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="key"
        value={key}
        onChange={setKey}
        error={
          isFit || key === '' ? undefined : 'Use 1 to 128 letters, digits and . _ - : / @ without spaces.'
        }
        isReadOnly={initialKey !== ''}
        autoFocus={initialKey === ''}
        description="Used as key in workflows. Letters, digits and . _ - : / @"
      />
      <PasswordField
        label="Value"
        name="value"
        kind="new"
        value={value}
        onChange={setValue}
        autoFocus={initialKey !== ''}
        description="Not shown again."
      />
    </FormDialog>
  );
}

function DeleteDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const change = useDesktopChange('keychain.delete', 'keychain.list');
  return (
    <FormDialog
      title={`Delete secret ${name}?`}
      submit={{ label: 'Delete secret', icon: Trash2, isDanger: true, isPending: change.isPending }}
      error={change.error}
      onSubmit={() => change.mutate({ key: name }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>Workflows that use this secret will fail to start.</p>
    </FormDialog>
  );
}
