import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { pluralize } from '../../../../core/base/text/pluralize.ts';
import type { JsonValue } from '../../../../core/base/json.ts';
import { configSpecs, specForStepType, acceptsCommand } from '../widgets/forms/config-specs.ts';
import { SearchField } from '../../../ui/controls/search-field.tsx';
import { FieldRow } from './field-row.tsx';
import type { FieldSpec } from './field-specs.ts';
import { matchesFilter, useForm, FieldSearchContext } from './form-context.ts';
import { primaryFields, sections, type Section } from './sections.ts';
import styles from '../inspector.module.css';

/** Fields that identify one step and cannot be set for several. */
const singular: ReadonlySet<string> = new Set(['name', 'id', 'depends']);

/** All fields of the target, by section. */
export function FormSections() {
  const { kind, target } = useForm();
  const [filter, setFilter] = useState('');
  const searchText = filter.trim().toLowerCase();
  const shown = sections[kind]
    .map((section) => ({
      ...section,
      fields: section.fields.filter(
        (field) => (target.length < 2 || !singular.has(field.name)) && matchesFilter(field, searchText),
      ),
    }))
    .filter(({ fields }) => fields.length > 0);
  return (
    <>
      <div className={styles.filter}>
        <SearchField label="Find a field" placeholder="Find a field" value={filter} onChange={setFilter} />
      </div>
      {shown.length === 0 && <p className={styles.note}>No matching fields</p>}
      <FieldSearchContext value={searchText}>
        {shown.map((section) => (
          <FormSection key={section.title} section={section} isFiltered={searchText !== ''} />
        ))}
      </FieldSearchContext>
    </>
  );
}

/** Whether a type has its own options; in a map of type and options they are inside it. */
const isExecutor = (type: JsonValue | undefined): boolean =>
  typeof type === 'string' && configSpecs(type) !== undefined;

interface FormSectionProps {
  readonly section: Section;
  readonly isFiltered: boolean;
}

function FormSection({ section, isFiltered }: FormSectionProps) {
  const form = useForm();
  const id = useId();
  const [toggled, setToggled] = useState<boolean>();
  const [withAll, setWithAll] = useState(false);
  const type = form.stateOf(['type'])?.value;
  const isThere = ({ name }: FieldSpec): boolean =>
    form.stateOf([name]) !== undefined ||
    (name === 'config' && isExecutor(type)) ||
    form.isMixed([name]) ||
    form.issuesAt([name], []).length > 0;
  const set = section.fields.filter(isThere).length;
  const isPrimary = ({ name }: FieldSpec): boolean =>
    primaryFields[form.kind].has(name) &&
    (name !== 'command' || typeof type !== 'string' || acceptsCommand(type));
  const isOpen = isFiltered || (toggled ?? (set > 0 || section.fields.some(isPrimary)));
  const visible = section.fields.filter(
    (field) => isFiltered || withAll || isThere(field) || (isPrimary(field) && form.target.length < 2),
  );
  // An open section without set fields cannot be collapsed.
  const listed = visible.length === 0 ? section.fields : visible;
  const hidden = section.fields.length - listed.length;
  const Mark = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h3 id={id} className={styles.sectionTitle}>
        <button type="button" aria-expanded={isOpen} onClick={() => setToggled(!isOpen)}>
          <Mark size={16} aria-hidden="true" />
          {section.title}
          <span className={styles.count}>{isOpen ? '' : pluralize(section.fields.length, 'field')}</span>
        </button>
      </h3>
      {isOpen && (
        <div className={styles.fields}>
          {listed.map((field) => (
            <FieldRow key={field.name} spec={specForStepType(type, field)} path={[field.name]} />
          ))}
          {(hidden > 0 || withAll) && !isFiltered && (
            <button type="button" className={styles.more} onClick={() => setWithAll(!withAll)}>
              {withAll ? 'Show less' : `${hidden} more ${hidden === 1 ? 'field' : 'fields'}`}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
