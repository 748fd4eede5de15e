import type { JsonValue } from '../../../../../core/base/json.ts';
import type { AuthoredPath } from '../../../../../core/edit/outline.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import type { FieldSpec } from '../../form/field-specs.ts';
import { isScalarValue, textOfValue, useForm } from '../../form/form-context.ts';
import { Cell } from '../entries/cell.tsx';
import { Entry } from '../entries/entry.tsx';
import { mapEntryMoves } from '../entries/moves.ts';
import styles from '../../inspector.module.css';

/** Texts for an entry. */
export interface EntryLabels {
  /** For example `registry`. */
  readonly noun: string;
  /** Label of its name, for example `Host`. */
  readonly nameLabel: string;
  readonly namePlaceholder?: string;
  readonly textLabel: (name: string) => string;
  readonly textPlaceholder?: string;
  /** Label of the button that turns the string into fields. */
  readonly expandLabel: string;
  /** Converts the string to the equivalent fields. */
  readonly expand: (text: string) => JsonValue;
}

interface NamedEntryProps {
  readonly path: AuthoredPath;
  readonly spec: FieldSpec;
  readonly words: EntryLabels;
  readonly name: string;
  /** Names of all entries. */
  readonly names: readonly string[];
  readonly index: number;
  readonly value: JsonValue;
}

/** A named map entry whose value is a string or a map of fields. */
export function NamedEntry({ path, spec, words, name, names, index, value }: NamedEntryProps) {
  const form = useForm();
  const at = [...path, name];
  const isText = isScalarValue(value) && value !== null;
  return (
    <Entry
      label={`${words.noun} ${name}`}
      index={index}
      moves={mapEntryMoves(form, path, names, index)}
      removed={names.length === 1 ? path : at}
      at={at}
      rows={isText ? [] : spec.fields.map((field) => [...at, field.name])}
      head={
        <Cell
          label={`${words.nameLabel} of ${words.noun} ${index + 1}`}
          {...(words.namePlaceholder !== undefined && { placeholder: words.namePlaceholder })}
          value={name}
          isLive={false}
          onCommit={(key) =>
            form.edit(path, { kind: 'rename-key', target: form.target.slice(0, 1), field: at, key })
          }
        />
      }
    >
      {isText ? (
        <TextValue at={at} name={name} words={words} text={textOfValue(value)} />
      ) : (
        <div className={styles.subForm}>
          {spec.fields.map((field) => (
            <form.Row key={field.name} spec={field} path={[...at, field.name]} />
          ))}
        </div>
      )}
    </Entry>
  );
}

interface TextValueProps {
  readonly at: AuthoredPath;
  readonly name: string;
  readonly words: EntryLabels;
  readonly text: string;
}

function TextValue({ at, name, words, text }: TextValueProps) {
  const form = useForm();
  return (
    <>
      <Cell
        label={words.textLabel(name)}
        {...(words.textPlaceholder !== undefined && { placeholder: words.textPlaceholder })}
        value={text}
        at={at}
        onCommit={(value) => form.set(at, { value })}
      />
      <div>
        <Button size="small" variant="quiet" onPress={() => void form.set(at, { value: words.expand(text) })}>
          {words.expandLabel}
        </Button>
      </div>
    </>
  );
}

/** Returns the first unused name. @param nameOf returns the name with a number, from 1 */
export function freeName(names: readonly string[], nameOf: (number: number) => string): string {
  for (let number = 1; ; number += 1) {
    const name = nameOf(number);
    if (!names.includes(name)) return name;
  }
}
