import { fireEvent, render, screen } from '@testing-library/react';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { AppError, fieldError } from '../../../core/base/errors.ts';
import { PasswordField, FieldErrorLine, TextField } from '../../../renderer/ui/fields.tsx';
import { MultilineField } from '../../../renderer/ui/text-box.tsx';
import { FormDialog } from '../../../renderer/ui/dialog.tsx';

/** A form with a field of each kind, which the engine always rejects. */
function Form({ refuse }: { readonly refuse: () => Error }) {
  const [error, setError] = useState<Error | null>(null);
  const [values, setValues] = useState({ url: 'a', secret: 'b', note: 'c' });
  const set = (field: keyof typeof values) => (value: string) => setValues({ ...values, [field]: value });
  const submit = { label: 'Save', icon: Check, isPending: false };
  return (
    <FormDialog
      title="New"
      submit={submit}
      error={error}
      onSubmit={() => setError(refuse())}
      onClose={() => undefined}
    >
      <TextField label="URL" name="url" value={values.url} onChange={set('url')} description="Where to" />
      <PasswordField
        label="Secret"
        name="secrets"
        kind="new"
        value={values.secret}
        onChange={set('secret')}
      />
      <MultilineField label="Note" name="note" text={values.note} onChange={set('note')} rows={2} />
      <FieldErrorLine name="events" value="*" />
    </FormDialog>
  );
}

const save = (): boolean => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
/** The error shown at a field, if it is marked as invalid. */
const getError = (label: string): string | undefined => {
  const field = screen.getByLabelText(label);
  if (field.getAttribute('aria-invalid') !== 'true') return undefined;
  const notes = (field.getAttribute('aria-describedby') ?? '').split(' ');
  return notes.map((id) => document.getElementById(id)?.textContent ?? '').join('');
};

test.each([
  ['URL', 'url', 'is no address'],
  ['Secret', 'secrets.0', 'is no secret'],
  ['Note', 'note', 'is no note'],
])('an error of %s is shown only there, and the field is focused', (label, field, problem) => {
  render(<Form refuse={() => fieldError(field, problem)} />);
  save();
  expect(getError(label)).toBe(`Is${problem.slice(2)}`);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText(label));
});

test('a changed field is valid until it is rejected again', () => {
  render(<Form refuse={() => fieldError('url', 'is no address')} />);
  save();
  fireEvent.change(screen.getByLabelText('URL'), { target: { value: 'b' } });
  expect(getError('URL')).toBeUndefined();
  expect(screen.getByText('Where to')).toBeTruthy();
  save();
  expect(getError('URL')).toBe('Is no address');
});

test('several errors are each shown at their fields, others below with the label of the window', () => {
  const errors = ['url', 'events', 'owner'].map((field) => ({ field, message: `${field} is wrong.` }));
  const error = new AppError('validation_failed', 'all is wrong', { details: { errors } });
  render(<Form refuse={() => error} />);
  save();
  expect(getError('URL')).toBe('url is wrong.');
  expect(screen.getByText('events is wrong.')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('Scope name: owner is wrong.');
});

test('an error without a field is shown below', () => {
  render(<Form refuse={() => new AppError('forbidden', 'You may not.')} />);
  save();
  expect(screen.getByRole('alert').textContent).toBe('You may not.');
});
