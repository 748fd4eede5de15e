import { describe, expect, it } from 'vitest';
import { setStartTime } from '../../../../core/edit/steps/set-start-time.ts';
import { readEditable } from '../../../../core/edit/yaml/editable-text.ts';
import { edit } from '../../../harness/workflow-texts.ts';

const steps = 'steps:\n  - echo hello # greets\n';
const set = (text: string, index: number, expression: string, zone?: string): string =>
  edit(text, (editable) => setStartTime(editable, index, { expression, zone }));
const remove = (text: string, index: number): string =>
  edit(text, (editable) => setStartTime(editable, index, undefined));

describe('setStartTime', () => {
  it('adds a schedule above the steps, with its time zone, and keeps comments', () => {
    expect(set(`# Nightly load\nname: load\n${steps}`, 0, '30 6 * * 1-5', 'Europe/Berlin')).toBe(
      `# Nightly load\nname: load\nschedule: 30 6 * * 1-5\ntimezone: Europe/Berlin\n${steps}`,
    );
  });

  it('makes a list of a single time', () => {
    expect(set(`schedule: "0 6 * * *" # early\n${steps}`, 1, '0 18 * * *')).toBe(
      `schedule: # early\n  - 0 6 * * *\n  - 0 18 * * *\n${steps}`,
    );
  });

  it('changes one entry of a list, with a time zone of its own', () => {
    const text = `timezone: UTC\nschedule:\n  # morning\n  - "0 6 * * *"\n  - "0 18 * * *" # evening\n${steps}`;
    expect(set(text, 1, '0 19 * * *', 'Asia/Tokyo')).toBe(
      text.replace('0 18 * * *', 'CRON_TZ=Asia/Tokyo 0 19 * * *'),
    );
    expect(set(text, 0, '0 7 * * *', 'UTC')).toBe(text.replace('0 6', '0 7'));
  });

  it('sets the start times of a map, and keeps its stop times', () => {
    const text = `schedule:\n  stop: "0 18 * * *" # closing time\n${steps}`;
    expect(set(text, 0, '0 8 * * *')).toBe(
      `schedule:\n  stop: "0 18 * * *" # closing time\n  start: 0 8 * * *\n${steps}`,
    );
    expect(remove(set(text, 0, '0 8 * * *'), 0)).toBe(text);
  });

  it('removes an entry, and the field with the last one', () => {
    expect(remove(`schedule:\n  - "0 6 * * *"\n  - "0 18 * * *"\n${steps}`, 0)).toBe(
      `schedule:\n  - "0 18 * * *"\n${steps}`,
    );
    expect(remove(`schedule: "0 6 * * *"\n${steps}`, 0)).toBe(steps);
  });

  it('rejects invalid YAML and times that are not in the file', () => {
    const change = (text: string) => setStartTime(readEditable(text), 0, undefined);
    expect(change('name: "a\n')).toMatchObject({ reason: expect.stringContaining('Invalid YAML in line 1') });
    expect(change(steps)).toMatchObject({
      reason: 'This time is not in the file: it comes from the base configuration.',
    });
  });
});
