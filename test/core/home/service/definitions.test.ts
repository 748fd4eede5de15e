import { describe, expect, it } from 'vitest';
import { getEngineCommand } from '../../../../core/home/service/find-service-info.ts';
import { planService } from '../../../../core/home/service/service-control.ts';
import type { ServiceInfo } from '../../../../core/home/service/service-info.ts';

const info = (more: Partial<ServiceInfo> = {}): ServiceInfo => ({
  platform: 'linux',
  home: '/home/ann/my "flows" 100%',
  isUsualHome: true,
  engine: { program: '/opt/Step wright/stepwright', args: ['/opt/$x/engine.js'], environment: {} },
  userFolder: '/home/ann',
  configFolder: '/home/ann/.config',
  userId: 1000,
  userName: 'DESK\\ann',
  environment: { PATH: '/usr/bin:/bin', LANG: 'en_GB.UTF-8' },
  ...more,
});

const asApp = { ...info().engine, environment: { ELECTRON_RUN_AS_NODE: '1' } };

describe('systemd unit', () => {
  it('contains the home, the configuration file and little else, quoted for systemd', () => {
    const plan = planService(info({ engine: asApp, configFile: '/etc/step.yaml' }));
    expect(plan).toMatchObject({
      manager: 'systemd',
      name: 'stepwright.service',
      file: '/home/ann/.config/systemd/user/stepwright.service',
      query: [
        'systemctl',
        '--user',
        'show',
        'stepwright.service',
        '--property=LoadState,ActiveState,UnitFileState',
      ],
    });
    expect(plan.text).toBe(`[Unit]
Description=Stepwright engine (/home/ann/my "flows" 100%%)
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
Type=exec
ExecStart="/opt/Step wright/stepwright" "/opt/$$x/engine.js" "--engine-home" "/home/ann/my \\"flows\\" 100%%" "--config" "/etc/step.yaml" "start-all"
Environment="ELECTRON_RUN_AS_NODE=1"
Environment="LANG=en_GB.UTF-8"
Environment="PATH=/usr/bin:/bin"
Restart=on-failure
RestartSec=5
KillMode=process
TimeoutStopSec=120
UMask=0077

[Install]
WantedBy=default.target
`);
  });

  it('has a unique name for each home', () => {
    const names = ['/a', '/b'].map((home) => planService(info({ home, isUsualHome: false })).name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^stepwright-[0-9a-f]{8}\.service$/);
  });

  it('parses the output of systemctl show', () => {
    const { parseState } = planService(info());
    const stdout = 'LoadState=loaded\nActiveState=active\nUnitFileState=enabled\n';
    expect(parseState({ exitCode: 0, stdout })).toEqual({ isKnown: true, isEnabled: true, isRunning: true });
    expect(
      parseState({ exitCode: 0, stdout: 'LoadState=not-found\nActiveState=inactive\nUnitFileState=\n' }),
    ).toEqual({ isKnown: false, isEnabled: false, isRunning: false });
    expect(
      parseState({ exitCode: 1, stdout: '', error: 'exit code 1: Failed to connect to bus' }).problem,
    ).toContain('Failed to connect to bus');
  });
});

describe('launchd agent', () => {
  const plan = planService(
    info({ platform: 'darwin', userFolder: '/Users/ann', userId: 501, home: '/Users/ann/a & <b>' }),
  );

  it('is a property list', () => {
    expect(plan.file).toBe('/Users/ann/Library/LaunchAgents/io.stepwright.engine.plist');
    expect(plan.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>io.stepwright.engine</string>
  <key>ProgramArguments</key>
  <array>
    <string>/opt/Step wright/stepwright</string>
    <string>/opt/$x/engine.js</string>
    <string>--engine-home</string>
    <string>/Users/ann/a &amp; &lt;b&gt;</string>
    <string>start-all</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>LANG</key>
    <string>en_GB.UTF-8</string>
    <key>PATH</key>
    <string>/usr/bin:/bin</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>120</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>/Users/ann/a &amp; &lt;b&gt;/logs/service.log</string>
  <key>StandardErrorPath</key>
  <string>/Users/ann/a &amp; &lt;b&gt;/logs/service.log</string>
</dict>
</plist>
`);
  });

  it('is loaded into the user’s session', () => {
    const label = 'gui/501/io.stepwright.engine';
    expect(plan.install).toEqual([
      { argv: ['launchctl', 'bootout', label], mayFail: true },
      { argv: ['launchctl', 'enable', label] },
      { argv: ['launchctl', 'bootstrap', 'gui/501', plan.file] },
    ]);
    expect(plan.stop).toEqual([{ argv: ['launchctl', 'kill', 'SIGTERM', label] }]);
    expect(plan.uninstall).toEqual([{ argv: ['launchctl', 'bootout', label], mayFail: true }]);
  });

  it('parses the output of launchctl print', () => {
    const { parseState } = plan;
    expect(parseState({ exitCode: 0, stdout: '\tstate = running\n' })).toMatchObject({ isRunning: true });
    expect(parseState({ exitCode: 0, stdout: '\tstate = not running\n' })).toMatchObject({
      isKnown: true,
      isRunning: false,
    });
    expect(parseState({ exitCode: 113, stdout: '' })).toEqual({
      isKnown: false,
      isEnabled: false,
      isRunning: false,
    });
  });
});

describe('Windows task', () => {
  const plan = planService(
    info({
      platform: 'win32',
      home: 'C:\\Users\\Ann & Bo\\Stepwright',
      engine: {
        program: 'C:\\Program Files\\Stepwright\\Stepwright.exe',
        args: ['C:\\a\\engine.js'],
        environment: { ELECTRON_RUN_AS_NODE: '1' },
      },
      environment: { PATH: 'C:\\Windows' },
    }),
  );

  it('is XML that starts the engine without a console window', () => {
    expect(plan.file).toBe('C:\\Users\\Ann & Bo\\Stepwright\\data\\service-task.xml');
    expect(plan.encoding).toBe('utf16le');
    expect(plan.text.split('\r\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-16"?>',
      '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
      '  <RegistrationInfo>',
      '    <Description>Stepwright engine (C:\\Users\\Ann &amp; Bo\\Stepwright)</Description>',
      '  </RegistrationInfo>',
      '  <Triggers>',
      '    <LogonTrigger><Enabled>true</Enabled><UserId>DESK\\ann</UserId></LogonTrigger>',
      '  </Triggers>',
      '  <Principals>',
      '    <Principal id="Author"><UserId>DESK\\ann</UserId><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>',
      '  </Principals>',
      '  <Settings>',
      '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
      '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
      '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
      '    <StartWhenAvailable>true</StartWhenAvailable>',
      '    <IdleSettings><StopOnIdleEnd>false</StopOnIdleEnd><RestartOnIdle>false</RestartOnIdle></IdleSettings>',
      '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
      '    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>',
      '  </Settings>',
      '  <Actions Context="Author">',
      '    <Exec>',
      '      <Command>%SystemRoot%\\System32\\conhost.exe</Command>',
      '      <Arguments>--headless cmd.exe /d /s /c &quot;set &quot;ELECTRON_RUN_AS_NODE=1&quot;&amp;&amp; set &quot;PATH=C:\\Windows&quot;&amp;&amp; &quot;C:\\Program Files\\Stepwright\\Stepwright.exe&quot; &quot;C:\\a\\engine.js&quot; &quot;--engine-home&quot; &quot;C:\\Users\\Ann &amp; Bo\\Stepwright&quot; &quot;start-all&quot;&quot;</Arguments>',
      '      <WorkingDirectory>C:\\Users\\Ann &amp; Bo\\Stepwright</WorkingDirectory>',
      '    </Exec>',
      '  </Actions>',
      '</Task>',
      '',
    ]);
  });

  it('is created, started, ended and deleted by schtasks', () => {
    expect(plan.install.map(({ argv }) => argv.slice(0, 4))).toEqual([
      ['schtasks.exe', '/End', '/TN', 'Stepwright'],
      ['schtasks.exe', '/Create', '/TN', 'Stepwright'],
      ['schtasks.exe', '/Run', '/TN', 'Stepwright'],
    ]);
    expect(plan.uninstall.at(-1)!.argv).toEqual(['schtasks.exe', '/Delete', '/TN', 'Stepwright', '/F']);
  });

  it('is running when the last result says so, in any language', () => {
    expect(plan.parseState({ exitCode: 0, stdout: 'Letztes Ergebnis: 267009\n' }).isRunning).toBe(true);
    expect(plan.parseState({ exitCode: 0, stdout: 'Last Result: 0\n' }).isRunning).toBe(false);
    expect(plan.parseState({ exitCode: 1, stdout: '' }).isKnown).toBe(false);
  });
});

describe('start command of the engine', () => {
  const launcher = '/opt/app/resources/app.asar/out/cli/engine.js';

  it('is Node with the launcher', () => {
    expect(getEngineCommand({ execPath: '/usr/bin/node', launcher, isElectron: false })).toEqual({
      program: '/usr/bin/node',
      args: [launcher],
      environment: {},
    });
  });

  it('is the app as Node', () => {
    expect(getEngineCommand({ execPath: '/opt/app/stepwright', launcher, isElectron: true })).toEqual({
      program: '/opt/app/stepwright',
      args: [launcher],
      environment: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });

  it('is the file of an AppImage, never its temporary mount', () => {
    const { program, args } = getEngineCommand({
      execPath: '/tmp/.mount_x/stepwright',
      launcher,
      isElectron: true,
      appImage: '/home/ann/Apps/Stepwright.AppImage',
    });
    expect(program).toBe('/home/ann/Apps/Stepwright.AppImage');
    expect(args[0]).toBe('-e');
    expect(args.join(' ')).not.toContain('.mount_');
  });
});
