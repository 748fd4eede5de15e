import { Gauge, Lock, PenLine, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { pluralize } from '../../../core/base/text.ts';
import type { ConfigView } from '../../../core/contract/config.ts';
import type { QueueView } from '../../../core/contract/queues.ts';
import type { EditableSetting } from '../../../core/model/editable-settings.ts';
import { useConfig } from '../../api/config-queries.ts';
import { useCan } from '../../api/session-queries.ts';
import { useQueues } from '../../api/system-queries.ts';
import { useBaseConfigIssue } from '../../api/version-queries.ts';
import { paths, withQuery } from '../../navigation/address.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { ScrollArea } from '../../ui/page.tsx';
import { EmptyState, Notice, QueryState } from '../../ui/state.tsx';
import { LimitDialog } from '../queues/limit-dialog.tsx';
import { EngineSetting, SettingSource, SettingRow, SettingSection, ZoneOptions } from './setting-row.tsx';
import { MailSection } from './mail-settings.tsx';
import styles from './settings.module.css';

/** Settings of the installation, for all its users. */
export function InstallationSettings() {
  const may = useCan('config.get');
  if (may.allowed) return <Installation />;
  return (
    <EmptyState icon={Lock} title="You do not have permission to change the installation">
      <p>{may.reason}</p>
    </EmptyState>
  );
}

function Installation() {
  const config = useConfig();
  return (
    <QueryState query={config} what="The settings">
      {(view) => (
        <ScrollArea className={styles.scroll} aria-label="Installation settings">
          <div className={styles.sections}>
            <RestartNotice config={view} />
            <ScheduleSection config={view} />
            <RetentionSection config={view} />
            <QueueSection />
            <MailSection />
            <BaseSection />
            <AllSettings config={view} />
          </div>
        </ScrollArea>
      )}
    </QueryState>
  );
}

interface ConfigProps {
  readonly config: ConfigView;
}

function RestartNotice({ config }: ConfigProps) {
  const pending = config.settings.filter(({ restartPending }) => restartPending);
  if (pending.length === 0) return null;
  return (
    <Notice tone="warning">
      <strong>Restart Stepwright to apply {pluralize(pending.length, 'change')}:</strong>{' '}
      {pending.map(({ key }) => key).join(', ')}
    </Notice>
  );
}

/** Returns the props of the control of a setting. */
function settingProps({ file, settings }: ConfigView, key: EditableSetting) {
  return { file, setting: settings.find((setting) => setting.key === key)! };
}

const catchupChoices = [
  { value: 'skip', label: 'Skip' },
  { value: 'last', label: 'Run the last one' },
  { value: 'all', label: 'Run all' },
];

function ScheduleSection({ config }: ConfigProps) {
  return (
    <SettingSection title="Schedules">
      <EngineSetting
        {...settingProps(config, 'tz')}
        label="Time zone"
        help="For schedules without one"
        choices={[{ value: '', label: 'Server time zone' }]}
        options={<ZoneOptions />}
      />
      <EngineSetting
        {...settingProps(config, 'scheduler.catchup')}
        label="Missed runs"
        help="Schedules missed while the scheduler was off"
        choices={catchupChoices}
      />
      <EngineSetting
        {...settingProps(config, 'scheduler.catchupWindow')}
        label="Maximum age of missed runs"
        help="Such as 12h or 7d"
      />
    </SettingSection>
  );
}

function RetentionSection({ config }: ConfigProps) {
  return (
    <SettingSection title="Retention">
      <EngineSetting
        {...settingProps(config, 'history.retentionDays')}
        label="Runs and logs"
        help="-1: forever"
        unit="days"
      />
      <EngineSetting
        {...settingProps(config, 'history.retentionRuns')}
        label="Runs per workflow"
        help="0: unlimited"
        unit="runs"
      />
      <EngineSetting
        {...settingProps(config, 'webhooks.retentionDays')}
        label="Webhook deliveries"
        help="At least 2 days"
        unit="days"
      />
      <EngineSetting
        {...settingProps(config, 'monitor.retention')}
        label="Load history"
        help="Such as 24h or 7d"
      />
    </SettingSection>
  );
}

/** The queues with a limit of their own. */
function QueueSection() {
  const queues = useQueues();
  const [open, setOpen] = useState<QueueView | 'new'>();
  const limited = queues.data?.queues.filter(({ type }) => type === 'global') ?? [];
  return (
    <SettingSection
      title="Queues"
      action={
        <Button size="small" icon={Plus} onPress={() => setOpen('new')}>
          Add queue
        </Button>
      }
    >
      {limited.length === 0 && (
        <SettingRow
          label="No queue limits"
          help={
            <>
              Workflows limit their own runs. <Link href={paths.queues}>Open Queues</Link>
            </>
          }
        >
          {null}
        </SettingRow>
      )}
      {limited.map((queue) => (
        <SettingRow
          key={queue.name}
          label={queue.name}
          help={
            <>
              At most {pluralize(queue.maxConcurrency ?? 0, 'active run')}.{' '}
              <Link href={withQuery(paths.queues, { queue: queue.name })}>View queue</Link>
            </>
          }
        >
          <Button
            size="small"
            icon={Gauge}
            aria-label={`Limit of queue ${queue.name}`}
            onPress={() => setOpen(queue)}
          >
            Limit…
          </Button>
        </SettingRow>
      ))}
      {open !== undefined && (
        <LimitDialog {...(open !== 'new' && { queue: open })} onClose={() => setOpen(undefined)} />
      )}
    </SettingSection>
  );
}

function BaseSection() {
  const issue = useBaseConfigIssue();
  return (
    <SettingSection title="Base configuration">
      <SettingRow
        label="Defaults for all workflows"
        help="Variables, handlers, email and limits in base.yaml."
        error={issue && `Line ${issue.line}: ${issue.message}`}
      >
        <LinkButton href={paths.baseConfig} icon={PenLine}>
          Edit base configuration
        </LinkButton>
      </SettingRow>
    </SettingSection>
  );
}

/** All values of the configuration, to look up where each comes from. */
function AllSettings({ config }: ConfigProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const found = config.settings.filter(({ key }) => key.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <SettingSection
      title="All settings"
      action={
        <Button size="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : `Show ${config.settings.length}`}
        </Button>
      }
    >
      <p className={styles.keysHelp}>
        Configuration file: <code>{config.file}</code>
      </p>
      {isOpen && (
        <>
          <div className={styles.tableSearch}>
            <SearchField
              label="Search settings"
              placeholder="Search settings"
              value={search}
              onChange={setSearch}
            />
          </div>
          <ScrollArea className={styles.tableBox} aria-label="All settings">
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Value</th>
                  <th scope="col">Source</th>
                </tr>
              </thead>
              <tbody>
                {found.map((setting) => (
                  <tr key={setting.key}>
                    <th scope="row">{setting.key}</th>
                    <td>{setting.value === '' ? '–' : setting.value}</td>
                    <td>
                      <SettingSource setting={setting} file={config.file} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea>
        </>
      )}
    </SettingSection>
  );
}
