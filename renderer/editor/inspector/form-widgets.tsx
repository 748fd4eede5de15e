import { useContext, useState } from 'react';
import { Plus } from 'lucide-react';
import { decideRetry } from '../../../core/spec/plan/policies.ts';
import type { JsonValue } from '../../../core/base/json.ts';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import { formatDuration } from '../../format/time.ts';
import { Button } from '../../ui/button.tsx';
import styles from './inspector.module.css';
import type { FieldSpec } from './field-specs.ts';
import {
  matchesFilter,
  useForm,
  FieldSearchContext,
  isScalarValue,
  getValueText,
  type WidgetProps,
} from './form-context.ts';
import { BooleanWidget, TextWidget } from './text-widgets.tsx';
import { AddEntryButton, Entries, Entry } from './entry.tsx';
import { listItemMoves } from './entry-rows.ts';

const maxShown = 8;

/**
 * Returns the waits between attempts in milliseconds, with the engine's rules; empty if an expression decides.
 */
export function listWaits(value: JsonValue): readonly number[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  const number = (input: JsonValue | undefined): number => Number(input === '' ? Number.NaN : input);
  const { limit, intervalSec, backoff, maxIntervalSec } = value;
  const factor = backoff === undefined || backoff === false ? 1 : backoff === true ? 2 : number(backoff);
  const [times, interval] = [number(limit), number(intervalSec)];
  if (![times, interval, factor].every((each) => Number.isFinite(each))) return [];
  const policy = {
    limit: times,
    intervalSec: interval,
    backoff: factor,
    exitCodes: [],
    ...(maxIntervalSec !== undefined && { maxIntervalSec: number(maxIntervalSec) }),
  };
  const waits: number[] = [];
  for (let attempt = 1; waits.length < maxShown; attempt += 1) {
    const wait = decideRetry(policy, { attempt, timedOut: false, aborted: false });
    if (wait === undefined) break;
    waits.push(wait);
  }
  return waits;
}

/** The waits as bars, with their durations. */
function RetryWaits({ value }: { readonly value: JsonValue }) {
  const waits = listWaits(value);
  if (waits.length === 0) return null;
  const maxLength = Math.max(...waits, 1);
  const words = waits.map((wait) => formatDuration(wait));
  return (
    <figure className={styles.waits}>
      <figcaption className={styles.label}>Wait before each retry</figcaption>
      <ol>
        {waits.map((wait, index) => (
          <li key={index}>
            <span className={styles.bar} style={{ width: `${Math.max(2, (wait / maxLength) * 100)}%` }} />
            <span>{words[index]}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

/** Up to this number all fields are shown; beyond it only the set fields, filled up to a few others. */
const maxConcurrent = 6;
const fewest = 3;

/** The fields of a map. @param path path of the map */
function SubForm({ fields, path }: { readonly fields: readonly FieldSpec[]; readonly path: AuthoredPath }) {
  const form = useForm();
  const searchText = useContext(FieldSearchContext);
  const [withAll, setWithAll] = useState(false);
  const isThere = ({ name }: FieldSpec): boolean => {
    const at = [...path, name];
    return form.getState(at) !== undefined || form.isMixed(at) || form.issuesAt(at, []).length > 0;
  };
  const set = new Set(fields.filter(isThere));
  const found = new Set(searchText === '' ? [] : fields.filter((field) => matchesFilter(field, searchText)));
  const spare = fields.filter((field) => !set.has(field)).slice(0, Math.max(0, fewest - set.size));
  const isShort = fields.length <= maxConcurrent;
  const listed = fields.filter(
    (field) => isShort || withAll || set.has(field) || found.has(field) || spare.includes(field),
  );
  const hidden = fields.length - listed.length;
  return (
    <>
      {listed.map((field) => (
        <form.Row key={field.name} spec={field} path={[...path, field.name]} />
      ))}
      {(hidden > 0 || withAll) && (
        <button type="button" className={styles.more} onClick={() => setWithAll(!withAll)}>
          {withAll ? 'Show less' : `${hidden} more ${hidden === 1 ? 'field' : 'fields'}`}
        </button>
      )}
    </>
  );
}

/** Initial values of maps that need more than one key. */
const starts: Readonly<Record<string, Record<string, number | string>>> = {
  retryPolicy: { limit: 3, intervalSec: 5 },
  container: { image: 'alpine:3' },
  repeatPolicy: { repeat: 'until', intervalSec: 10 },
};

/** A map of fields, or its short form. */
export function FormWidget(props: WidgetProps) {
  const { spec, path, state, inputId } = props;
  const form = useForm();
  const [isOpen, setOpen] = useState(false);
  const value = state?.value;
  if (value !== undefined && value !== null && isScalarValue(value)) return <ShortForm {...props} />;
  const start = starts[spec.name];
  if (value === undefined && (start !== undefined || !isOpen))
    return (
      <div>
        <Button
          id={inputId}
          size="small"
          icon={Plus}
          onPress={() => (start ? void form.set(path, { value: start }) : setOpen(true))}
        >
          {`Set ${spec.label.toLowerCase()}`}
        </Button>
      </div>
    );
  return (
    <div className={styles.subForm}>
      <SubForm fields={spec.fields} path={path} />
      {spec.name === 'retryPolicy' && <RetryWaits value={value ?? null} />}
    </div>
  );
}

/** The short form, such as `continueOn: failed` or `tty: true`. */
function ShortForm(props: WidgetProps) {
  const { spec, path, state } = props;
  const form = useForm();
  const text = getValueText(state?.value);
  const whole = spec.name === 'continueOn' ? { [text === 'skipped' ? 'skipped' : 'failure']: true } : {};
  return (
    <>
      {typeof state?.value === 'boolean' ? <BooleanWidget {...props} /> : <TextWidget {...props} />}
      <Button size="small" variant="quiet" onPress={() => void form.set(path, { value: whole })}>
        Advanced
      </Button>
    </>
  );
}

/** A map of fields, or a list of such maps. */
export function FormsWidget(props: WidgetProps) {
  const { path, state, label, spec } = props;
  const form = useForm();
  const value = state?.value;
  const noun = spec.label.toLowerCase();
  const first = spec.fields[0]?.name ?? 'name';
  const blank = { [first]: '' };
  if (!Array.isArray(value))
    return (
      <>
        <FormWidget {...props} />
        {value !== undefined && value !== null && (
          <AddEntryButton noun={noun} onPress={() => form.set(path, { value: [value, blank] })} />
        )}
      </>
    );
  return (
    <>
      <Entries label={label}>
        {value.map((_, index) => {
          const at = [...path, index];
          return (
            <Entry
              key={index}
              label={`${noun} ${index + 1}`}
              index={index}
              moves={listItemMoves(form, path, index, value.length)}
              removed={value.length === 1 ? path : at}
              at={at}
              rows={spec.fields.map(({ name }) => [...at, name])}
              head={<span className={styles.cardTitle}>{`${label} ${index + 1}`}</span>}
            >
              <SubForm fields={spec.fields} path={at} />
            </Entry>
          );
        })}
      </Entries>
      <AddEntryButton noun={noun} onPress={() => form.set([...path, value.length], { value: blank })} />
    </>
  );
}
