import { useConnection } from '../../../bridge/live-state.tsx';
import { ConnectionForm } from '../../../parts/connection/connection-form.tsx';
import { PracticeState } from '../../../parts/connection/practice-state.tsx';
import { ProxyFields, ProxyModes } from '../../../parts/connection/proxy-form.tsx';
import { useChooseMode } from '../../../parts/connection/use-choose-mode.ts';
import { useConnectionForm } from '../../../parts/connection/use-connection-form.ts';
import { useProxyForm } from '../../../parts/connection/use-proxy-form.ts';
import { useText } from '../../../lib/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { ConnectionTest } from '../ui/connection-test.tsx';
import { LegacyKey } from '../ui/legacy-key.tsx';
import { SpendLimit, ToolRights, UploadsAtOnce } from '../ui/sending-limits.tsx';
import { StreamPlaces } from '../ui/stream-places.tsx';
import css from './connection-page.module.css';
import { CorrectionsNote } from '../ui/corrections-note.tsx';
import { Setting } from '../ui/setting.tsx';
import { SettingRow, SettingsGroup } from '../ui/settings-group.tsx';

export function ConnectionPage() {
  const t = useText();
  const { mode } = useConnection();
  const chooseMode = useChooseMode();
  const form = useConnectionForm();
  const proxy = useProxyForm();
  return (
    <>
      <SettingsGroup title={t('settings.connection.modeGroup')}>
        {mode !== 'unset' && (
          <Setting name="mode">
            <SettingRow label={t('settings.connection.mode')} hint={t('settings.connection.modeHint')}>
              <Segmented
                label={t('settings.connection.mode')}
                options={(['service', 'practice'] as const).map((value) => ({
                  value,
                  text: t(`settings.connection.modes.${value}`),
                }))}
                value={mode}
                onChange={(next) => void chooseMode.choose(next)}
              />
            </SettingRow>
          </Setting>
        )}
        <PracticeState failure={chooseMode.failure} />
      </SettingsGroup>
      <SettingsGroup title={t('settings.connection.serviceGroup')}>
        <Setting name="service">
          <div className={css['form']}>
            <ConnectionForm form={form} onAdoptLegacy={form.adoptLegacy} />
          </div>
        </Setting>
        <CorrectionsNote />
      </SettingsGroup>
      <SettingsGroup title={t('network.places.group')}>
        <Setting name="places">
          <StreamPlaces />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('network.legacy.group')}>
        <Setting name="legacyKey">
          <LegacyKey />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('network.spend.group')}>
        <Setting name="spend">
          <SpendLimit />
        </Setting>
        <Setting name="tools">
          <ToolRights />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('network.proxy.group')}>
        <Setting name="proxy">
          <SettingRow label={t('network.proxy.title')} hint={t('network.proxy.hint')}>
            <ProxyModes form={proxy} />
          </SettingRow>
          <ProxyFields form={proxy} />
        </Setting>
        <Setting name="uploads">
          <UploadsAtOnce />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.connection.testGroup')}>
        <Setting name="test">
          <ConnectionTest form={form} />
        </Setting>
      </SettingsGroup>
    </>
  );
}
