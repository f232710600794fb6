import css from './settings-navigation.module.css';
import {
  BellRing,
  FilePenLine,
  HardDrive,
  Keyboard,
  KeyRound,
  Laptop,
  Mic,
  ShieldCheck,
  SlidersHorizontal,
  type LucideIcon,
} from 'lucide-react';
import { Link } from 'react-aria-components';
import { useText } from '../../../lib/text.ts';
import { settingsPages, type SettingsPage, type FoundSetting } from '../model/settings-index.ts';
import { SettingsSearch } from './settings-search.tsx';

const icons: Readonly<Record<SettingsPage, LucideIcon>> = {
  general: SlidersHorizontal,
  local: Laptop,
  connection: KeyRound,
  editor: FilePenLine,
  dictation: Mic,
  automation: BellRing,
  shortcuts: Keyboard,
  storage: HardDrive,
  privacy: ShieldCheck,
};

/** The pages of the settings, left of the page that is shown. */
export function SettingsNavigation({
  current,
  onPage,
  onFound,
}: {
  readonly current: SettingsPage;
  readonly onPage: (page: SettingsPage) => void;
  readonly onFound: (setting: FoundSetting) => void;
}) {
  const t = useText();
  return (
    <nav className={css['navigation']} aria-label={t('settings.pages.label')} data-pane="settings">
      <SettingsSearch onFound={onFound} />
      {settingsPages.map((page) => {
        const Icon = icons[page];
        return (
          <Link
            key={page}
            className={css['item'] ?? ''}
            onPress={() => {
              onPage(page);
            }}
            {...(page === current ? { 'aria-current': 'page' as const } : {})}
          >
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            <span className={css['name']}>{t(`settings.pages.${page}`)}</span>
          </Link>
        );
      })}
    </nav>
  );
}
