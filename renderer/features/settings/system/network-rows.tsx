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
      <SettingRow label="Proxy" help="Sets HTTP_PROXY, HTTPS_PROXY and NO_PROXY for updates and new runs.">
        <Segmented
          label="Proxy"
          value={network.proxyMode}
          choices={[
            { value: 'system', label: 'System' },
            { value: 'manual', label: 'Manual' },
            { value: 'none', label: 'None' },
          ]}
          onChange={(proxyMode) => mutate({ network: { proxyMode } })}
        />
      </SettingRow>
      {network.proxyMode === 'manual' && (
        <>
          <TextRow
            label="Proxy URL"
            help={network.proxy === '' ? 'No proxy is used until you enter a URL.' : undefined}
            hint="http://proxy.example:3128"
            value={network.proxy}
            check={checkProxy}
            onCommit={(proxy) => mutate({ network: { proxy } })}
          />
          <TextRow
            label="Bypass proxy for"
            hint="localhost,.example.org"
            value={network.proxyBypass}
            onCommit={(proxyBypass) => mutate({ network: { proxyBypass } })}
          />
          <SettingRow label="Use proxy in steps" help="Applies to new runs.">
            <Switch
              label="Use proxy in steps"
              isLabelHidden
              isSelected={network.forSteps}
              onChange={(forSteps) => mutate({ network: { forSteps } })}
            />
          </SettingRow>
        </>
      )}
      <TextRow
        label="Additional CA certificates"
        hint="/path/to/certificates.pem"
        value={network.caFile}
        onCommit={(caFile) => mutate({ network: { caFile } })}
      />
    </SettingSection>
  );
}

/** Validates the proxy with the app's rules. */
const checkProxy = (text: string): string | undefined =>
  /^(https?:\/\/\S+)?$/i.test(text)
    ? undefined
    : 'Enter a URL such as http://proxy.example:3128, or leave blank.';

interface TextRowProps extends TypedSetting {
  readonly label: string;
  readonly help?: string | undefined;
  readonly hint: string;
}

/** Saved on blur. */
function TextRow({ label, help, hint, ...setting }: TextRowProps) {
  const { error, input } = useTypedSetting(setting);
  return (
    <SettingRow label={label} help={help} error={error}>
      <input className={styles.input} aria-label={label} placeholder={hint} spellCheck={false} {...input} />
    </SettingRow>
  );
}
