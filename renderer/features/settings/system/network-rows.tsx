import {
  useChangeDesktopSettings,
  useDesktopSettings,
} from '../../../api/queries/desktop/desktop-queries.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { SettingRow, SettingSection } from '../setting-row.tsx';
import { useTypedSetting, type TypedSetting } from '../use-typed-setting.ts';
import styles from '../settings.module.css';

/** Proxy and certificates of the desktop app. */
export function NetworkRows() {
  const network = useDesktopSettings().data?.network;
  const { mutate } = useChangeDesktopSettings();
  if (network === undefined) return null;
  return (
    <SettingSection title="Network">
      <SettingRow
        label="Proxy"
        help="For updates at once, for workflows from their next run, as HTTP_PROXY, HTTPS_PROXY and NO_PROXY."
      >
        <Segmented
          label="Proxy"
          value={network.proxyMode}
          choices={[
            { value: 'system', label: 'As the system' },
            { value: 'manual', label: 'Manual' },
            { value: 'none', label: 'None' },
          ]}
          onChange={(proxyMode) => mutate({ network: { proxyMode } })}
        />
      </SettingRow>
      {network.proxyMode === 'manual' && (
        <>
          <TextRow
            label="Address of the proxy"
            help={network.proxy === '' ? 'Until there is one, none is used.' : undefined}
            hint="http://proxy.example:3128"
            value={network.proxy}
            check={checkProxy}
            onCommit={(proxy) => mutate({ network: { proxy } })}
          />
          <TextRow
            label="Reached without it"
            hint="localhost,.example.org"
            value={network.proxyBypass}
            onCommit={(proxyBypass) => mutate({ network: { proxyBypass } })}
          />
          <SettingRow
            label="Steps of workflows use it"
            help="From their next run. Otherwise a step sees it only where its workflow declares it in env."
          >
            <Switch
              label="Steps of workflows use it"
              isLabelHidden
              isSelected={network.forSteps}
              onChange={(forSteps) => mutate({ network: { forSteps } })}
            />
          </SettingRow>
        </>
      )}
      <TextRow
        label="Further certificates"
        hint="/path/to/certificates.pem"
        value={network.caFile}
        onCommit={(caFile) => mutate({ network: { caFile } })}
      />
    </SettingSection>
  );
}

/** As the app reads it. */
const checkProxy = (text: string): string | undefined =>
  /^(https?:\/\/\S+)?$/i.test(text)
    ? undefined
    : 'Write an address such as http://proxy.example:3128, or nothing for none.';

interface TextRowProps extends TypedSetting {
  readonly label: string;
  readonly help?: string | undefined;
  readonly hint: string;
}

/** Counts when the person leaves it. */
function TextRow({ label, help, hint, ...setting }: TextRowProps) {
  const { fault, input } = useTypedSetting(setting);
  return (
    <SettingRow label={label} help={help} fault={fault}>
      <input className={styles.input} aria-label={label} placeholder={hint} spellCheck={false} {...input} />
    </SettingRow>
  );
}
