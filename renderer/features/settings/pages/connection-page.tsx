import { modeIds } from '../../../../shared/domain/modes.ts';
import { useConnection, useApp } from '../../../bridge/live-state.tsx';
import { PracticeState, ConnectionForm } from '../../../parts/connection/connection-form.tsx';
import { ProxyFields, ProxyModes } from '../../../parts/connection/proxy-form.tsx';
import { useChooseMode, useConnectionForm } from '../../../parts/connection/use-connection-form.ts';
import { useProxyForm } from '../../../parts/connection/use-proxy-form.ts';
import { useText } from '../../../lib/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { ConnectionTest } from '../ui/connection-test.tsx';
import { LegacyKey } from '../ui/legacy-key.tsx';
import { SpendLimit, ToolRights, UploadsAtOnce } from '../ui/sending-limits.tsx';
import { StreamPlaces } from '../ui/stream-places.tsx';
import css from '../ui/settings-pages.module.css';
import { Setting, SettingRow, SettingsGroup, Hint } from '../ui/settings-group.tsx';
import { FileWarning } from 'lucide-react';
import { Banner } from '../../../ui/banner.tsx';

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
                options={modeIds.map((value) => ({ value, text: t(`settings.connection.modes.${value}`) }))}
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
          <div className={css['connectionForm']}>
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

/** What the user's file of corrections changes, or why it was rejected; hidden when there is none. */
function CorrectionsNote() {
  const t = useText();
  const { places, complaints } = useApp().corrections;
  if (complaints.length > 0) {
    return (
      <Banner tone="warn" icon={FileWarning} title={t('corrections.refused')}>
        {complaints
          .map(({ line, at, problem }) =>
            t('corrections.complaint', { line, at, why: t(`corrections.problems.${problem}`) }),
          )
          .join('; ')}
      </Banner>
    );
  }
  return places.length === 0 ? null : <Hint>{t('corrections.taken', { places: places.join(', ') })}</Hint>;
}
