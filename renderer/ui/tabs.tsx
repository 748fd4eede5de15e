import { ChevronRight } from 'lucide-react';
import { Link } from 'wouter';
import { Tab as AriaTab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components';
import { getPageLabel } from '../navigation/navigation-items.ts';
import styles from './layout.module.css';

/** A page above the current one. */
export interface Crumb {
  readonly href: string;
  /** Default: name of the page in the navigation. */
  readonly label?: string;
}

interface BreadcrumbProps {
  readonly trail: readonly Crumb[];
}

/** Breadcrumbs of the page. */
export function Breadcrumb({ trail }: BreadcrumbProps) {
  return (
    <nav className={styles.breadcrumb} aria-label="Breadcrumb">
      {trail.map(({ label, href }, crumbIndex) => (
        <span key={href}>
          {crumbIndex > 0 && <ChevronRight size={14} aria-hidden="true" />}
          <Link href={href}>{label ?? getPageLabel(href)}</Link>
        </span>
      ))}
    </nav>
  );
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  readonly tabs: readonly {
    readonly id: Id;
    readonly label: string;
    /** A small number or icon after the label. */
    readonly note?: React.ReactNode;
    readonly content: React.ReactNode;
  }[];
  /** Controls at the end of the tab bar. */
  readonly aside?: React.ReactNode;
}

/** Tabs, one visible at a time. */
export function Tabs<Id extends string>({ label, value, onChange, tabs, aside }: TabsProps<Id>) {
  return (
    <AriaTabs className={styles.tabs} selectedKey={value} onSelectionChange={(key) => onChange(key as Id)}>
      <div className={styles.tabRow}>
        <TabList aria-label={label} className={styles.tabList}>
          {tabs.map(({ id, label: text, note }) => (
            <AriaTab key={id} id={id} className={styles.tab}>
              {text}
              {note !== undefined && <span className={styles.tabNote}>{note}</span>}
            </AriaTab>
          ))}
        </TabList>
        {aside}
      </div>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.tabPanel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
