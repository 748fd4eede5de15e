import { Select } from '../../../ui/controls/select.tsx';
import { SecretField } from './secret-field.tsx';

const overlaps = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'An hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: 'A week' },
] as const;

/** A new secret, and how long the one before still counts. */
export interface Rotation {
  readonly secret: string;
  readonly overlapHours: (typeof overlaps)[number]['value'];
}

interface RotationFieldsProps {
  readonly value: Rotation;
  readonly onChange: (value: Rotation) => void;
  /** What happens in that time. */
  readonly overlap: string;
}

/** Asks for a new secret. */
export function RotationFields({ value, onChange, overlap }: RotationFieldsProps) {
  return (
    <>
      <SecretField
        label="New secret"
        value={value.secret}
        onChange={(secret) => onChange({ ...value, secret })}
        description="It cannot be seen again: keep it where the other side finds it, too."
      />
      <Select
        label="The secret before still counts for"
        isLabelled
        value={value.overlapHours}
        choices={overlaps}
        onChange={(overlapHours) => onChange({ ...value, overlapHours })}
        description={overlap}
      />
    </>
  );
}
