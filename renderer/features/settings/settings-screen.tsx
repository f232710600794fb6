import css from './settings-screen.module.css';
import { useEffect, useState } from 'react';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { DropOverlay } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { Panel, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { scrollToSetting } from './model/scroll-to-setting.ts';
import { type SettingName, readSettingsPlace, type SettingsPage } from './model/settings-index.ts';
import { AutomationPage } from './pages/automation-page.tsx';
import { ConnectionPage } from './pages/connection-page.tsx';
import { DictationPage } from './pages/dictation-page.tsx';
import { EditorPage } from './pages/editor-page.tsx';
import { GeneralPage } from './pages/general-page.tsx';
import { LocalPage } from './pages/local-page.tsx';
import { PrivacyPage } from './pages/privacy-page.tsx';
import { ShortcutsPage } from './pages/shortcuts-page.tsx';
import { StoragePage } from './pages/storage-page.tsx';
import { SettingsNavigation } from './ui/settings-navigation.tsx';

const pages: Readonly<Record<SettingsPage, () => React.JSX.Element>> = {
  general: GeneralPage,
  local: LocalPage,
  connection: ConnectionPage,
  editor: EditorPage,
  dictation: DictationPage,
  automation: AutomationPage,
  shortcuts: ShortcutsPage,
  storage: StoragePage,
  privacy: PrivacyPage,
};

/** All settings, one page per topic. Choices take effect at once. */
export function SettingsScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { page: current, setting } = readSettingsPlace(subpath);
  const Page = pages[current];
  const over = useTextsAndRecordingsDrop();
  // A new object each time, so that the same setting can be found twice.
  const [wanted, setWanted] = useState<{ readonly name: SettingName } | null>(null);
  // The address may name a setting too, as the palette does.
  useEffect(() => (setting === null ? undefined : scrollToSetting(setting)), [setting, current]);
  useEffect(() => (wanted === null ? undefined : scrollToSetting(wanted.name)), [wanted, current]);
  return (
    <Panel header={<PanelTitle>{t('settings.title')}</PanelTitle>}>
      <SettingsNavigation
        current={current}
        onPage={(next) => {
          setWanted(null);
          onSubpath(next);
        }}
        onFound={({ name, page: next }) => {
          onSubpath(next);
          setWanted({ name });
        }}
      />
      <PanelContent label={t(`settings.pages.${current}`)}>
        <div key={current} className={css['scroll']}>
          <div className={css['page']} data-page={current}>
            <Page />
          </div>
        </div>
      </PanelContent>
      <DropOverlay over={over} />
    </Panel>
  );
}
