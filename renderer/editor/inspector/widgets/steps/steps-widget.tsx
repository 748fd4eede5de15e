import { toNodeRef } from '../../../../../core/edit/outline/look-up.ts';
import { useForm } from '../../form/form-context.ts';
import styles from '../../inspector.module.css';

const maxShown = 12;

/** The steps, each with a link to its form. */
export function StepsWidget() {
  const { outline, session } = useForm();
  const steps = outline?.steps ?? [];
  return (
    <>
      <ul className={styles.chips}>
        {steps.slice(0, maxShown).map((step) => (
          <li key={step.name}>
            <button
              type="button"
              className={styles.more}
              onClick={() => session.select([toNodeRef(step)], 'inspector')}
            >
              {step.name}
            </button>
          </li>
        ))}
      </ul>
      {steps.length > maxShown && (
        <p className={styles.note}>{steps.length - maxShown} more steps in the outline and on the canvas.</p>
      )}
    </>
  );
}
