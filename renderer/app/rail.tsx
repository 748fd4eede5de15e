import { BookText, History, Monitor, Moon, Sun, Workflow } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useRoute } from 'wouter';
import { useSystemInfo } from '../api/queries.ts';
import { UserMenu } from '../features/account/user-menu.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { ConnectionMark } from './connection-mark.tsx';
import { Mark } from './mark.tsx';
import { paths, routePatterns } from './paths.ts';
import styles from './shell.module.css';
import { setTheme, useTheme, type Theme } from './theme.ts';

const places = [
  { href: paths.workflows, label: 'Workflows', icon: Workflow, owns: ['/dags', '/new'] },
  { href: paths.runs, label: 'Runs', icon: History, owns: ['/runs'] },
  { href: paths.apiReference(), label: 'API reference', icon: BookText, owns: ['/api-reference'] },
];

/** Left navigation: where one can go, and how the application is doing. */
export function Rail() {
  const [location] = useLocation();
  // The editor needs the width.
  const [isEditing] = useRoute(routePatterns.editor);
  const system = useSystemInfo().data;
  const name = system?.ui.navbarTitle ?? 'Stepwright';
  const colour = system?.ui.navbarColor;
  useEffect(() => {
    document.title = name;
  }, [name]);
  return (
    <aside className={styles.rail} aria-label={name} data-compact={isEditing || undefined}>
      <Link
        href={paths.workflows}
        className={styles.brand}
        aria-label={`${name}, to the workflows`}
        style={colour === undefined ? undefined : { boxShadow: `inset 4px 0 ${colour}` }}
      >
        <Mark />
        <span>{name}</span>
      </Link>
      <nav aria-label="Main" className={styles.places}>
        {places.map(({ href, label, icon: Icon, owns }) => {
          const here = location === href || owns.some((prefix) => location.startsWith(prefix));
          return (
            <Link
              key={href}
              href={href}
              className={styles.place}
              title={isEditing ? label : undefined}
              {...(here && { 'aria-current': 'page' as const })}
            >
              <Icon size={16} aria-hidden="true" />
              <span>{label}</span>
              {href === paths.runs && system !== undefined && system.activeRuns > 0 && (
                <span className={styles.count} title={`${system.activeRuns} active`}>
                  {system.activeRuns}
                </span>
              )}
            </Link>
          );
        })}
      </nav>
      <div className={styles.railFoot}>
        <ThemeSwitch />
        <UserMenu />
        <div className={styles.railLine}>
          <ConnectionMark />
          {system && <span className={styles.version}>{system.version}</span>}
        </div>
      </div>
    </aside>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };
const themeNames: Readonly<Record<Theme, string>> = { system: 'System theme', light: 'Light', dark: 'Dark' };

function ThemeSwitch() {
  const theme = useTheme((state) => state.theme);
  const choices = (['system', 'light', 'dark'] as const).map((value) => {
    const Icon = themeIcons[value];
    return { value, label: themeNames[value], content: <Icon size={14} aria-hidden="true" /> };
  });
  return <Segmented label="Theme" value={theme} choices={choices} onChange={setTheme} />;
}
