import { Search, X, type LucideIcon } from 'lucide-react';
import { Button, Input, SearchField as AriaSearchField } from 'react-aria-components';
import styles from './controls.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Icon of the searched subject, instead of the default. */
  readonly icon?: LucideIcon;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field that filters a list while typing; Escape clears it. */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, icon: Icon = Search, value, onChange } = props;
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className={styles.search}>
      <Icon size={16} aria-hidden="true" />
      <Input placeholder={placeholder} dir="auto" className={styles.searchInput} />
      {value !== '' && (
        <Button className={styles.searchClear} aria-label="Clear">
          <X size={14} aria-hidden="true" />
        </Button>
      )}
    </AriaSearchField>
  );
}
