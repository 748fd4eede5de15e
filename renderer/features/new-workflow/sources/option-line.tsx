import styles from './sources.module.css';

interface OptionLineProps {
  readonly label: string;
  readonly help: string;
  readonly children: React.ReactNode;
}

/** A select above a text, with a sentence about the choice. */
export function OptionRow({ label, help, children }: OptionLineProps) {
  return (
    <div className={styles.option}>
      <div className={styles.optionHead}>
        <span aria-hidden="true">{label}</span>
        {children}
      </div>
      <p className={styles.optionHelp}>{help}</p>
    </div>
  );
}
