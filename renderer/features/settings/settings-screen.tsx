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
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useOtherWords, useText } from '../../lib/text.ts';
import { DropOverlay } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { Panel, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import {
  findSettings,
  type FoundSetting,
  readSettingsPlace,
  type SettingName,
  type SettingsPage,
  settingsPages,
} from './model/settings-index.ts';
import { AutomationPage } from './pages/automation-page.tsx';
import { ConnectionPage } from './pages/connection-page.tsx';
import { DictationPage } from './pages/dictation-page.tsx';
import { EditorPage } from './pages/editor-page.tsx';
import { GeneralPage } from './pages/general-page.tsx';
import { LocalPage } from './pages/local-page.tsx';
import { PrivacyPage } from './pages/privacy-page.tsx';
import { ShortcutsPage } from './pages/shortcuts-page.tsx';
import { StoragePage } from './pages/storage-page.tsx';
import css from './settings-screen.module.css';
import navigationCss from './ui/settings-navigation.module.css';

const pages = {
  general: { Page: GeneralPage, Icon: SlidersHorizontal },
  local: { Page: LocalPage, Icon: Laptop },
  connection: { Page: ConnectionPage, Icon: KeyRound },
  editor: { Page: EditorPage, Icon: FilePenLine },
  dictation: { Page: DictationPage, Icon: Mic },
  automation: { Page: AutomationPage, Icon: BellRing },
  shortcuts: { Page: ShortcutsPage, Icon: Keyboard },
  storage: { Page: StoragePage, Icon: HardDrive },
  privacy: { Page: PrivacyPage, Icon: ShieldCheck },
} as const satisfies Record<SettingsPage, unknown>;

/** Where Settings was left in this run. */
let lastPage: SettingsPage = 'general';

export function SettingsScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { page: current, setting } = readSettingsPlace(subpath === '' ? lastPage : subpath);
  useEffect(() => {
    lastPage = current;
  }, [current]);
  const { Page } = pages[current];
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

const control = 'button, input, a[href], select, textarea, [tabindex="0"]';
const shownForMs = 2500;

/** Waits for a setting that appears only after main has answered. Returns a function that cancels it. */
function scrollToSetting(name: SettingName): () => void {
  const find = () => document.querySelector<HTMLElement>(`[data-setting="${name}"]`);
  let stop = (): void => undefined;
  const here = find();
  if (here !== null) return markSetting(here);
  const drawn = new MutationObserver(() => {
    const setting = find();
    if (setting === null) return;
    drawn.disconnect();
    stop = markSetting(setting);
  });
  drawn.observe(document.body, { childList: true, subtree: true });
  return () => {
    drawn.disconnect();
    stop();
  };
}

function markSetting(setting: HTMLElement): () => void {
  for (let fold = setting.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  setting.scrollIntoView({ block: 'center' });
  setting.toggleAttribute('data-found', true);
  const chosen = setting.querySelector<HTMLElement>('input:checked') ?? setting.querySelector<HTMLElement>(control);
  chosen?.focus({ preventScroll: true });
  const stop = () => setting.removeAttribute('data-found');
  const timer = setTimeout(stop, shownForMs);
  return () => {
    clearTimeout(timer);
    stop();
  };
}

interface SettingsNavigationProps {
  readonly current: SettingsPage;
  readonly onPage: (page: SettingsPage) => void;
  readonly onFound: (setting: FoundSetting) => void;
}

function SettingsNavigation({ current, onPage, onFound }: SettingsNavigationProps) {
  const t = useText();
  return (
    <nav className={navigationCss['navigation']} aria-label={t('settings.pages.label')} data-pane="settings">
      <SettingsSearch onFound={onFound} />
      {settingsPages.map((page) => {
        const { Icon } = pages[page];
        return (
          <Link
            key={page}
            className={navigationCss['item'] ?? ''}
            onPress={() => onPage(page)}
            {...(page === current ? { 'aria-current': 'page' as const } : {})}
          >
            <Icon aria-hidden size={16} strokeWidth={1.75} />
            <span className={navigationCss['name']}>{t(`settings.pages.${page}`)}</span>
          </Link>
        );
      })}
    </nav>
  );
}

function SettingsSearch({ onFound }: { readonly onFound: (setting: FoundSetting) => void }) {
  const t = useText();
  const others = useOtherWords();
  const [query, setQuery] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const isAsked = query.trim() !== '';
  const found = isAsked ? findSettings(query, t, others()) : [];
  const choose = (setting: FoundSetting) => {
    setQuery('');
    onFound(setting);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <search> is not known to older screen readers
    <div role="search" className={navigationCss['all']}>
      <SearchBox
        label={t('settings.search.label')}
        placeholder={t('settings.search.short')}
        value={query}
        onChange={setQuery}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === 'Enter' && first !== undefined && !event.nativeEvent.isComposing) {
            // The focus moves to the found control, which this key press must not trigger.
            event.preventDefault();
            choose(first);
          }
          if (event.key === 'Escape' && query !== '') {
            event.stopPropagation();
            setQuery('');
          }
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            list.current?.querySelector<HTMLElement>('[data-result]')?.focus();
          }
        }}
      />
      <output className={navigationCss['said']}>
        {isAsked &&
          (found.length === 0 ? t('settings.search.none') : t('settings.search.found', { count: found.length }))}
      </output>
      {found.length > 0 && (
        <ul ref={list} className={navigationCss['results']} aria-label={t('settings.search.results')}>
          {found.map((setting) => (
            <li key={setting.name}>
              <Link data-result className={navigationCss['result'] ?? ''} onPress={() => choose(setting)}>
                <span className={navigationCss['title']}>{setting.title}</span>
                <span className={navigationCss['page']}>{t(`settings.pages.${setting.page}`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
