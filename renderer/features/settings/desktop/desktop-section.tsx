import type { DesktopSettings } from '../../../../core/contract/desktop/settings.ts';
import { useBridge } from '../../../api/bridge.ts';
import {
  useChangeDesktopSettings,
  useDesktopSettings,
} from '../../../api/queries/desktop/desktop-queries.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import { NotificationRows } from './notification-rows.tsx';
import { WorkflowRows } from './workflow-rows.tsx';

/** Props of the parts of the section: the settings, and a function that changes them. */
export interface DesktopRows {
  readonly settings: DesktopSettings;
  readonly change: ReturnType<typeof useChangeDesktopSettings>['mutate'];
}

/** Desktop app settings: closing, notifications, power, tray; nothing in a browser. */
export function DesktopSection() {
  const { desktop } = useBridge();
  const settings = useDesktopSettings().data;
  const { mutate } = useChangeDesktopSettings();
  if (desktop === undefined || settings === undefined) return null;
  return (
    <>
      <SettingSection title="Desktop">
        <SettingRow
          label="Closing the window"
          help="Schedules, queues and runs continue while the window is closed."
        >
          <Segmented
            label="Closing the window"
            value={settings.life.onClose}
            choices={[
              { value: 'tray', label: 'Keep running in the tray' },
              { value: 'quit', label: 'Quit the app' },
            ]}
            onChange={(onClose) => mutate({ life: { onClose } })}
          />
        </SettingRow>
        <SettingRow label="Prevent sleep" help="Keeps the computer awake while runs are active.">
          <Switch
            label="Prevent sleep while runs are active"
            isLabelHidden
            isSelected={settings.power.keepAwake}
            onChange={(keepAwake) => mutate({ power: { keepAwake } })}
          />
        </SettingRow>
      </SettingSection>
      <NotificationRows settings={settings} change={mutate} />
      <WorkflowRows settings={settings} change={mutate} />
    </>
  );
}
