import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ApprovalView } from '../../../core/contract/runs/run-views.ts';
import type { Decision } from '../../../core/model/run/approval.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextBox } from '../../ui/controls/text-box.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { type Answer, listMissing, readRefusal } from './answer.ts';
import styles from './approvals.module.css';

interface AnswerFormProps {
  readonly approval: ApprovalView;
  /** The answer that is on its way. */
  readonly pending: Decision | undefined;
  /** Why the engine has refused the last one. */
  readonly refusal: unknown;
  /** The first field gets the focus. */
  readonly isAsked: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

/**
 * Fields for what a person says, and the two ways to decide. Return in a field sends nothing: an approval is given by
 * its button.
 */
export function AnswerForm({ approval, pending, refusal, isAsked, onAnswer }: AnswerFormProps) {
  const { inputs, required } = approval;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [comment, setComment] = useState('');
  const [missing, setMissing] = useState<readonly string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const refused = readRefusal(refusal);
  const answer = (decision: Decision): void => {
    const without = decision === 'approved' ? listMissing(required, values) : [];
    setMissing(without);
    const first = inputs.findIndex((name) => without.includes(name));
    if (first === -1) onAnswer({ decision, comment, values });
    else box.current?.querySelectorAll('input')[first]?.focus();
  };
  const faultOf = (name: string): string | undefined =>
    missing.includes(name)
      ? 'Needed for an approval.'
      : refused?.field === name
        ? refused.message
        : undefined;
  return (
    <div ref={box} className={styles.form} role="group" aria-label="Your answer">
      {inputs.map((name, index) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ''}
          onChange={(value) => {
            setValues({ ...values, [name]: value });
            setMissing(missing.filter((one) => one !== name));
          }}
          isRequired={required.includes(name)}
          error={faultOf(name)}
          autoFocus={isAsked && index === 0}
        />
      ))}
      <TextBox label="Comment" text={comment} onChange={setComment} rows={2} isProse />
      {refused !== undefined && !inputs.includes(refused.field ?? '') && (
        <Notice tone="error">{refused.message}</Notice>
      )}
      <AnswerButtons pending={pending} isAsked={isAsked && inputs.length === 0} onAnswer={answer} />
    </div>
  );
}

interface AnswerButtonsProps extends Pick<AnswerFormProps, 'pending' | 'isAsked'> {
  readonly onAnswer: (decision: Decision) => void;
}

const AnswerButtons = ({ pending, isAsked, onAnswer }: AnswerButtonsProps) => (
  <div className={styles.buttons}>
    <Button
      look="danger"
      icon={X}
      isPending={pending === 'rejected'}
      isDisabled={pending === 'approved'}
      onPress={() => onAnswer('rejected')}
    >
      Reject
    </Button>
    <Button
      look="primary"
      icon={Check}
      isPending={pending === 'approved'}
      isDisabled={pending === 'rejected'}
      autoFocus={isAsked}
      onPress={() => onAnswer('approved')}
    >
      Approve
    </Button>
  </div>
);
