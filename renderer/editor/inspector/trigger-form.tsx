import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { JsonValue } from '../../../core/base/json.ts';
import type { Schedule } from '../../../core/model/workflow.ts';
import { useNextFireTimes } from '../../api/workflow-queries.ts';
import { NextFive } from '../../features/schedules/next-five.tsx';
import { SchedulerNotice } from '../../features/schedules/scheduler-notice.tsx';
import { StartTimes, type ScheduleSaver } from '../../features/schedules/start-times.tsx';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { usePanels } from '../session/panel-state.ts';
import { FieldIssues } from './field-issues.tsx';
import { workflowFields, type Section } from './field-specs.ts';
import { getValueText, useForm } from './form-context.ts';
import { FieldRow, FormSection } from './form-sections.tsx';
import styles from './inspector.module.css';
import { nextTimes } from './schedule-widget.tsx';

const scheduleField = ['schedule'];
const webhookField = workflowFields
  .find(({ name }) => name === 'on')
  ?.fields.find(({ name }) => name === 'webhook');

/** Fields that change how scheduled runs start. */
const optionNames = 'timezone catchup catchupWindow overlap skipIfSuccessful restartWaitSec'.split(' ');
const options: Section = {
  title: 'Schedule options',
  fields: workflowFields.filter(({ name }) => optionNames.includes(name)),
};

/** Reads the expressions of `schedule` as written: a string, a list, or a map of them. */
function readSchedule(value: JsonValue): Schedule {
  const isMap = value !== null && typeof value === 'object' && !Array.isArray(value);
  const list = (times: JsonValue | undefined): string[] =>
    times === undefined || times === null ? [] : [times].flat().map(getValueText);
  return isMap
    ? { start: list(value['start']), stop: list(value['stop']), restart: list(value['restart']) }
    : { start: list(value), stop: [], restart: [] };
}

/** The form of the trigger card: when the workflow starts, by schedule and by webhook. */
export function TriggerForm() {
  const form = useForm();
  const stored = useNextFireTimes(form.session.fileName).data;
  const written = form.getState(scheduleField)?.value ?? null;
  const schedule = useMemo(() => readSchedule(written), [written]);
  const zone = getValueText(form.getState(['timezone'])?.value) || (stored?.zone ?? 'UTC');
  const isScheduled = Object.values(schedule).some((times) => times.length > 0);
  const isValid = nextTimes(schedule, 0, zone).length > 0;
  const saver: ScheduleSaver = {
    isPending: false,
    error: null,
    reset: () => undefined,
    save: (change, onSaved) => {
      const label = change.time === undefined ? 'remove scheduled time' : 'set schedule';
      void form.edit(scheduleField, { kind: 'start-time', ...change }, label).then((isDone) => {
        if (!isDone) return;
        form.say({
          text: label === 'set schedule' ? 'Schedule set. Save to apply.' : 'Time removed.',
          undoes: label,
        });
        onSaved?.();
      });
    },
  };
  return (
    <div className={styles.triggers} data-trigger="">
      {isScheduled && <SchedulerNotice isShort />}
      <section className={styles.trigger} aria-label="Schedule">
        <StartTimes key={String(isScheduled)} schedule={schedule} zone={zone} saver={saver}>
          {isValid && schedule.start.length > 0 && (
            <NextFive start={schedule.start} zone={zone} words="Next runs" />
          )}
        </StartTimes>
        <FieldIssues found={form.issuesAt(scheduleField, [])} />
      </section>
      <FormSection section={options} isFiltered={false} />
      {webhookField && (
        <section className={styles.trigger} aria-label="Webhooks">
          <FieldRow spec={webhookField} path={['on', 'webhook']} />
          <p className={styles.note}>
            Webhooks arrive at a <Link href={paths.webhooks}>receiver</Link>.
          </p>
        </section>
      )}
      <p className={styles.note}>Every workflow can also be run manually and through the API.</p>
      <div>
        <Button
          size="small"
          variant="quiet"
          icon={ListChecks}
          onPress={() => usePanels.setState({ isTriggerShown: false })}
        >
          All workflow fields
        </Button>
      </div>
    </div>
  );
}
