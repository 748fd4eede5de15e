import { fireEvent, render, screen } from '@testing-library/react';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { AppError, fieldError } from '../../../core/base/errors.ts';
import { PasswordField } from '../../../renderer/ui/controls/password-field.tsx';
import { FaultLine } from '../../../renderer/ui/controls/field-error-scope.tsx';
import { TextBox } from '../../../renderer/ui/controls/text-box.tsx';
import { TextField } from '../../../renderer/ui/controls/text-field.tsx';
import { FormDialog } from '../../../renderer/ui/overlay/form-dialog.tsx';

/** A form with a field of each kind, which the engine refuses each time. */
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
      <TextBox label="Note" name="note" text={values.note} onChange={set('note')} rows={2} />
      <FaultLine name="events" value="*" />
    </FormDialog>
  );
}

const save = (): boolean => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
/** What is said at a field, when it is marked as wrong. */
const faultOf = (label: string): string | undefined => {
  const field = screen.getByLabelText(label);
  if (field.getAttribute('aria-invalid') !== 'true') return undefined;
  const notes = (field.getAttribute('aria-describedby') ?? '').split(' ');
  return notes.map((id) => document.getElementById(id)?.textContent ?? '').join('');
};

test.each([
  ['URL', 'url', 'is no address'],
  ['Secret', 'secrets.0', 'is no secret'],
  ['Note', 'note', 'is no note'],
])(
  'what is wrong with %s is said there and nowhere else, and the focus is there',
  (label, field, problem) => {
    render(<Form refuse={() => fieldError(field, problem)} />);
    save();
    expect(faultOf(label)).toBe(`Is${problem.slice(2)}`);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText(label));
  },
);

test('a field that is changed is not called wrong any more, until it is refused again', () => {
  render(<Form refuse={() => fieldError('url', 'is no address')} />);
  save();
  fireEvent.change(screen.getByLabelText('URL'), { target: { value: 'b' } });
  expect(faultOf('URL')).toBeUndefined();
  expect(screen.getByText('Where to')).toBeTruthy();
  save();
  expect(faultOf('URL')).toBe('Is no address');
});

test('several things are each said at their field, what has none below with the word of the window for it', () => {
  const errors = ['url', 'events', 'owner'].map((field) => ({ field, message: `${field} is wrong.` }));
  const error = new AppError('validation_failed', 'all is wrong', { details: { errors } });
  render(<Form refuse={() => error} />);
  save();
  expect(faultOf('URL')).toBe('url is wrong.');
  expect(screen.getByText('events is wrong.')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('Scope name: owner is wrong.');
});

test('a refusal that is about no field is said below', () => {
  render(<Form refuse={() => new AppError('forbidden', 'You may not.')} />);
  save();
  expect(screen.getByRole('alert').textContent).toBe('You may not.');
});
